// `npm run screenshots`: pictures of every page for the eye, not for a machine to compare.

import { defineConfig } from '@playwright/test';
import journeys from './playwright.config';

export default defineConfig(journeys, { testDir: '.', testMatch: 'screenshots.ts' });
