import { expect, expectLooks, test } from './fixture.js';

test('finds earlier visits by a new agent, previews the changes, and applies them', async ({
  signedIn: page,
  served,
}) => {
  const visit = { request_path: '/late', request_method: 'GET', request_headers: { 'user-agent': 'Latecomer/1.0' } };
  for (let times = 0; times < 3; times += 1) await served.client.post('/visits', visit);
  const visits = `/projects/${served.projectId}/visits`;
  await expect
    .poll(async () => ((await served.client.api(`${visits}?path=/late`)) as { visits: unknown[] }).visits.length)
    .toBe(3);
  const day = 86_400_000;
  const range = { from: new Date(Date.now() - day).toISOString(), to: new Date(Date.now() + day).toISOString() };
  const history = `/projects/${served.projectId}/reidentifications`;
  await served.client.api(history, { method: 'POST', body: { ...range, agent: 'GPTBot' } });
  await expect
    .poll(
      async () =>
        (await served.client.api<{ reidentifications: { state: string }[] }>(history)).reidentifications[0]!.state,
    )
    .toBe('previewed');
  const agent = {
    token: 'Latecomer',
    type: 'Scraper',
    operator: null,
    url: null,
    robots_token: null,
    verification: {},
    user_agent_patterns: ['Latecomer/'],
  };
  await served.client.api('/agents', { method: 'POST', body: agent });
  await page.goto('/catalog?agent=Latecomer');
  const offer = page.getByRole('dialog').getByText('Find earlier visits in');
  await expect(offer).toContainText('(3 in the last 7 days)');
  await offer.getByRole('link').first().click();
  await expect(page.getByLabel('Agent (optional)')).toHaveValue('Latecomer');
  await expect(page.getByText('The catalog has changed')).toBeVisible();
  // The previous result isn't shown, because it was for another agent.
  const runs = page.getByRole('region', { name: 'Re-identifications' });
  await expect(runs.getByRole('row', { name: 'API key or former user' })).toContainText('GPTBot');
  await expect(page.getByRole('heading', { name: 'What would change' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByRole('heading', { name: 'What would change for Latecomer', exact: true })).toBeVisible();
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes.getByRole('row', { name: /^3 .*Unknown.*Latecomer/ })).toBeVisible();
  await expectLooks(page, 'history');
  await page.getByRole('button', { name: 'Apply changes' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Apply changes' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'What changed for Latecomer', exact: true })).toBeVisible();
  await expect(page.getByText('The catalog has changed')).toBeHidden();
  await changes.getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Technical details' }).click();
  await expect(page.getByRole('dialog').getByText(/^Unknown visitor, re-identified/)).toBeVisible();
});
