// `npx playwright test --config journeys-open`: as in the folder above, for the journeys of this one.

import { defineConfig } from '@playwright/test';
import journeys from '../playwright.config';

export default defineConfig(journeys, { testDir: '.', outputDir: '../test-results' });
