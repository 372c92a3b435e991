// `npm run lighthouse`: what Chromium's own judge says of the pages that people open most.

import { defineConfig } from '@playwright/test';
import journeys from './playwright.config';

export default defineConfig(journeys, { testDir: '.', testMatch: 'lighthouse.ts', workers: 1, timeout: 300_000 });
