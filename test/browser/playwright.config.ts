import { defineConfig } from '@playwright/test';
import { CHROMIUM } from './chromium.js';

export default defineConfig({
  testDir: '.',
  testMatch: '*.browser.ts',
  globalSetup: './global-setup.ts',
  // Each worker has a separate instance, and tests in a file may depend on earlier ones. A deployment is shared by all.
  workers: process.env['TARGET_URL'] === undefined ? 2 : 1,
  fullyParallel: false,
  forbidOnly: true,
  reporter: [['list']],
  // Slow machines must not cause failures.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  // This test updates images in docs/.
  testIgnore: process.env['UPDATE_IMAGES'] ? [] : ['readme.browser.ts'],
  outputDir: '../../node_modules/.cache/playwright',
  use: {
    launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox'] },
    // Traces slow the tests down, and CI doesn't store them.
    trace: process.env['CI'] === undefined ? 'retain-on-failure' : 'off',
    // Waiting for animations is slow. Only runs with `LOOKS=all` include them.
    ...(process.env['LOOKS'] !== 'all' && { contextOptions: { reducedMotion: 'reduce' } }),
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  },
});
