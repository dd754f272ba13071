import type { Locator, Page } from '@playwright/test';
import { ADMIN } from './admin.js';
import { expect, test } from './fixture.js';
import { sampleVisits } from './sample-visits.js';

/**
 * Browser script that returns an empty string if the focused element is in view and has a visible outline. The outline
 * may also be on its row, list item, or parent. Otherwise, the script returns a description of the element.
 */
const DESCRIBE_INVISIBLE_FOCUS = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'no element has focus';
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const shown = [focused, focused.closest('[role=row], li'), focused.parentElement].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/, 0\\)$/.test(outlineColor);
  });
  return isInView && shown ? '' : focused.outerHTML.slice(0, 200) + (isInView ? '' : ' (out of view)');
})()`;

const expectVisibleFocus = async (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate<string>(DESCRIBE_INVISIBLE_FOCUS), 'the focused element is visible').toBe('');

const focused = (page: Page): Locator => page.locator(':focus');

const hasFocus = async (wanted: Locator): Promise<boolean> =>
  (await wanted.and(wanted.page().locator(':focus')).count()) > 0;

/** Presses Tab until the element has focus. Every element focused along the way must be visible. */
async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 250; presses += 1) {
    await page.keyboard.press('Tab');
    // After the last element, the focus moves to the browser UI before it returns to the first element.
    if ((await focused(page).count()) === 0) continue;
    await expectVisibleFocus(page);
    if (await hasFocus(wanted)) return;
  }
  throw new Error(`Pressing Tab never reached the ${role} ${String(name)}`);
}

test('completes a session from sign-in to sign-out with the keyboard', async ({ page, served }) => {
  test.setTimeout(240_000);
  await served.client.post('/visits', sampleVisits(20));
  await page.goto('/');
  // The page may have focused the field on load.
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  if (!(await hasFocus(page.getByLabel('Email address')))) await tabTo(page, 'textbox', 'Email address');
  await page.keyboard.type(ADMIN.email);
  await tabTo(page, 'textbox', 'Password');
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();

  await test.step('skips the navigation with the skip link', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(focused(page)).toHaveText('Skip to content');
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await expect(focused(page)).toHaveAttribute('id', 'page');
    await page.keyboard.press('Tab');
    await expectVisibleFocus(page);
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  await test.step('opens a project and its Realtime page', async () => {
    const { name } = await served.client.api<{ name: string }>(`/projects/${served.projectId}`);
    await page.reload();
    await tabTo(page, 'link', name);
    await page.keyboard.press('Enter');
    // Opening a new page moves the focus to the start of its content.
    await expect(focused(page)).toHaveAttribute('id', 'page');
    await tabTo(page, 'link', 'Realtime');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByRole('row', { name: /GPTBot/ }).first()).toBeVisible();
  });

  await test.step('filters visits, moves between rows, and opens the drawer', async () => {
    await page.keyboard.press('/');
    await expect(page.getByLabel('Value')).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.type('/shop*');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/path=%2Fshop/);
    await expect(page.getByRole('row', { name: /robots/ })).toHaveCount(0);
    await expect(page.getByRole('row', { name: /shop/ }).nth(2)).toBeVisible();
    // Letter keys aren't shortcuts in a text field. Escape closes the panel.
    await page.keyboard.press('/');
    await expect(page.getByLabel('Value')).toBeFocused();
    await page.keyboard.type('jk');
    await expect(page.getByLabel('Value')).toHaveValue('jk');
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Value')).toBeHidden();
    for (const key of ['j', 'j', 'j', 'k']) {
      await page.keyboard.press(key);
      await expect(page.locator('[role=row] a:focus')).toHaveCount(1);
      await expectVisibleFocus(page);
    }
    expect(await page.evaluate('Number(document.activeElement.closest("[data-index]").dataset.index)')).toBe(1);
    const href = await focused(page).getAttribute('href');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Visit' });
    await expect(drawer.getByText('Verification steps')).toBeVisible();
    for (let presses = 0; presses < 25; presses += 1) {
      await page.keyboard.press('Tab');
      await expectVisibleFocus(page);
      expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(focused(page)).toHaveAttribute('href', href!);
    await expectVisibleFocus(page);
  });

  await test.step('pauses the stream and opens the help', async () => {
    await page.keyboard.press('p');
    await expect(page.getByText('Paused', { exact: true })).toBeVisible();
    await page.keyboard.press('p');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(help.getByText('Next row')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await expectVisibleFocus(page);
  });

  await test.step('reveals an access token in the settings', async () => {
    await page.reload();
    await tabTo(page, 'link', 'Settings');
    await page.keyboard.press('Enter');
    await tabTo(page, 'link', 'Tokens');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Access tokens' })).toBeVisible();
    await tabTo(page, 'button', /^Show/);
    await page.keyboard.press('Enter');
    await expect(page.getByText(served.client.target.accessToken)).toBeVisible();
    await expectVisibleFocus(page);
  });

  await test.step('signs out', async () => {
    await page.reload();
    await tabTo(page, 'button', /^Account:/);
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', 'Sign out');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});
