import { defineConfig } from '@playwright/test';
import { CHROMIUM } from './chromium.js';

/** Debian's Chromium; where it is missing, the tests fail. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.browser.ts',
  globalSetup: './global-setup.ts',
  // Each worker has its own instance; within a file, what a test makes, the next one may rely on. A deployment is one for all.
  workers: process.env['TARGET_URL'] === undefined ? 2 : 1,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list']],
  // A slow machine must not fail a test.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  // It writes pictures into docs.
  testIgnore: process.env['UPDATE_IMAGES'] ? [] : ['readme.browser.ts'],
  outputDir: '../../node_modules/.cache/playwright',
  use: {
    launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] },
    // Recording takes a tenth of the time, and nobody fetches it from there.
    trace: process.env['CI'] === undefined ? 'retain-on-failure' : 'off',
    // Waiting for animations took an eighth of the time or more; the night has them.
    ...(process.env['LOOKS'] !== 'all' && { contextOptions: { reducedMotion: 'reduce' } }),
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  },
});
