import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './journeys',
  // Each worker has a server of its own, so journeys may run side by side; those of one worker run one after the other.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: !!process.env.CI,
  // For a machine that is busy with other things: whoever waits for something goes on as soon as it is there.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['./fixtures/last_words.ts']],
  outputDir: './test-results',
  use: {
    // What most people of this product have; and a zone that is not the server's, so that times differ after hydration.
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    actionTimeout: 30_000,
    // `scripts/e2e --trace on` shows every step of a failure; recording it for all costs a third of the time.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      // Debian's Chromium: Playwright's own download does not work everywhere.
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox', // as root Chromium does not start with it
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
