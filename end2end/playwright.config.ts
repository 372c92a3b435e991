import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './journeys',
  // Journeys in one file share their worker's server and run in order; files run side by side.
  workers: 2,
  retries: 0,
  forbidOnly: !!process.env.CI,
  timeout: 30_000,
  reporter: [['list']],
  outputDir: './test-results',
  use: {
    // What most people of this product have; and a zone that is not the server's, so that times differ after hydration.
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    trace: 'retain-on-failure',
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
