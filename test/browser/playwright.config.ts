import { defineConfig } from '@playwright/test';
import { CHROMIUM } from './chromium.js';

export default defineConfig({
  testDir: '.',
  testMatch: '*.browser.ts',
  globalSetup: './global-setup.ts',
  // Each worker has its own instance, and tests may depend on earlier tests in the same file. A deployment is shared by
  // all tests, so it allows only one worker.
  workers: process.env['TARGET_URL'] === undefined ? 2 : 1,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list']],
  // Generous timeouts, so that tests don't fail on slow machines.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  testIgnore: [
    // Overwrites the images in docs/.
    ...(process.env['UPDATE_IMAGES'] ? [] : ['readme.browser.ts']),
    // Builds another commit. Only runs nightly.
    ...(process.env['SCREENS'] ? [] : ['screens.browser.ts']),
  ],
  outputDir: '../../node_modules/.cache/playwright',
  use: {
    launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] },
    // Traces slow down the tests, and CI doesn't store them.
    trace: process.env['CI'] === undefined ? 'retain-on-failure' : 'off',
    // Only enable animations for `LOOKS=all`, because waiting for them is slow.
    ...(process.env['LOOKS'] !== 'all' && { contextOptions: { reducedMotion: 'reduce' } }),
    timezoneId: 'Europe/Berlin',
    locale: 'en-US',
  },
});
