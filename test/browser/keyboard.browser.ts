import type { Locator, Page } from '@playwright/test';
import { ADMIN } from './admin.js';
import { expect, test } from './fixture.js';
import { sampleVisits } from './sample-visits.js';

/**
 * Browser script that returns an empty string if the focused element is in view and has a visible outline. The outline
 * can be on the element, its row or list item, or its parent. Otherwise, the script describes the element.
 */
const UNSEEN = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'nothing has the focus';
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const shown = [focused, focused.closest('[role=row], li'), focused.parentElement].some((element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/, 0\\)$/.test(outlineColor);
  });
  return isInView && shown ? '' : focused.outerHTML.slice(0, 200) + (isInView ? '' : ' (out of view)');
})()`;

const expectFocusSeen = async (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate<string>(UNSEEN), 'the focus is seen').toBe('');

const focused = (page: Page): Locator => page.locator(':focus');

const hasFocus = async (wanted: Locator): Promise<boolean> =>
  (await wanted.and(wanted.page().locator(':focus')).count()) > 0;

/** Presses Tab until the element has the focus. Every stop on the path must be visible. */
async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 250; presses += 1) {
    await page.keyboard.press('Tab');
    // After the last element, the focus moves to the browser UI before it returns to the first one.
    if ((await focused(page).count()) === 0) continue;
    await expectFocusSeen(page);
    if (await hasFocus(wanted)) return;
  }
  throw new Error(`Tab does not lead to ${role} ${String(name)}`);
}

test('completes a session from sign-in to sign-out by keyboard', async ({ page, served }) => {
  test.setTimeout(240_000);
  await served.client.post('/visits', sampleVisits(20));
  await page.goto('/');
  // The page may have focused the field already.
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  if (!(await hasFocus(page.getByLabel('E-mail address')))) await tabTo(page, 'textbox', 'E-mail address');
  await page.keyboard.type(ADMIN.email);
  await tabTo(page, 'textbox', 'Password');
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();

  await test.step('the skip link leads past the navigation', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(focused(page)).toHaveText('Skip to the page');
    await expectFocusSeen(page);
    await page.keyboard.press('Enter');
    await expect(focused(page)).toHaveAttribute('id', 'page');
    await page.keyboard.press('Tab');
    await expectFocusSeen(page);
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  await test.step('a project, and its Realtime page', async () => {
    const { name } = await served.client.api<{ name: string }>(`/projects/${served.projectId}`);
    await page.reload();
    await tabTo(page, 'link', name);
    await page.keyboard.press('Enter');
    // A new page moves the focus to its start.
    await expect(focused(page)).toHaveAttribute('id', 'page');
    await tabTo(page, 'link', 'Realtime');
    await page.keyboard.press('Enter');
    await expect(page.getByText('live', { exact: true })).toBeVisible();
    await expect(page.getByRole('row', { name: /GPTBot/ }).first()).toBeVisible();
  });

  await test.step('filter, rows, drawer', async () => {
    await page.keyboard.press('/');
    await expect(page.getByLabel('Page', { exact: true })).toBeFocused();
    await expectFocusSeen(page);
    await page.keyboard.type('/shop');
    await expect(page).toHaveURL(/page=%2Fshop/);
    await tabTo(page, 'checkbox', 'Ignore query');
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(/path=%2Fshop/);
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('row', { name: /robots/ })).toHaveCount(0);
    await expect(page.getByRole('row', { name: /shop/ }).nth(2)).toBeVisible();
    // In a text field, letter keys aren't shortcuts. Esc leaves the field.
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Page', { exact: true })).not.toBeFocused();
    for (const key of ['j', 'j', 'j', 'k']) {
      await page.keyboard.press(key);
      await expect(page.locator('[role=row] a:focus')).toHaveCount(1);
      await expectFocusSeen(page);
    }
    expect(await page.evaluate('Number(document.activeElement.closest("[data-index]").dataset.index)')).toBe(1);
    const href = await focused(page).getAttribute('href');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Visit' });
    await expect(drawer.getByText('Verification steps')).toBeVisible();
    for (let presses = 0; presses < 25; presses += 1) {
      await page.keyboard.press('Tab');
      await expectFocusSeen(page);
      expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(focused(page)).toHaveAttribute('href', href!);
    await expectFocusSeen(page);
  });

  await test.step('pause and help', async () => {
    await page.keyboard.press('p');
    await expect(page.getByText('paused', { exact: true })).toBeVisible();
    await page.keyboard.press('p');
    await expect(page.getByText('live', { exact: true })).toBeVisible();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await expect(help.getByText('Next row')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await expectFocusSeen(page);
  });

  await test.step('settings: a token', async () => {
    await page.reload();
    await tabTo(page, 'link', 'Settings');
    await page.keyboard.press('Enter');
    await tabTo(page, 'tab', 'General');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Access tokens' })).toBeVisible();
    await tabTo(page, 'button', /^Show/);
    await page.keyboard.press('Enter');
    await expect(page.getByText(served.client.target.accessToken)).toBeVisible();
    await expectFocusSeen(page);
  });

  await test.step('sign out', async () => {
    await page.reload();
    await tabTo(page, 'button', /^Sign out/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});
