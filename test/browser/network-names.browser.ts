import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { TestDnsServer } from '../kit/dns.js';
import { until } from '../kit/instance.js';
import { createMmdb } from '../kit/mmdb.js';
import { expect, expectLooks, startInstance, test as base, type TestInstance } from './fixture.js';

const HOSTING = { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Hosting' };
const CLOUD = { autonomous_system_number: 64_497, autonomous_system_organization: 'Example Cloud Computing Company' };
const PTR = 'static-7.customers.hosting.example';
const BINGBOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';
/** Client addresses of the spoofed visits, from oldest to newest. */
const ADDRESSES = [
  '203.0.113.9',
  '2001:db8::9',
  '192.0.2.1',
  '192.0.2.33',
  '192.0.2.65',
  '192.0.2.97',
  '198.51.100.7',
  '198.51.100.7',
];

const test = base.extend<object, { named: TestInstance }>({
  named: [
    // Playwright reads the required fixtures from the destructuring pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'network-names-'));
      const dns = await TestDnsServer.start();
      dns.setRecords('PTR', '7.100.51.198.in-addr.arpa', [PTR]);
      const [asn, country] = ['asn.mmdb', 'country.mmdb'].map((name) => join(folder, name));
      const operators = {
        '198.51.100.0/24': HOSTING,
        ...Object.fromEntries([0, 32, 64, 96].map((start) => [`192.0.2.${start}/28`, HOSTING])),
        '2001:db8::/32': CLOUD,
      };
      await writeFile(asn!, createMmdb(operators, { type: 'Test-ASN' }));
      const german = { country: { iso_code: 'DE' } };
      await writeFile(
        country!,
        createMmdb({ '198.51.100.0/24': german, '192.0.2.0/24': german, '203.0.113.0/24': german }),
      );
      const { instance, ...served } = await startInstance({
        DNS_SERVERS: dns.address,
        ASN_FILE: asn!,
        GEOIP_FILE: country!,
        IP_LISTS: JSON.stringify({ 'https://www.bing.com/toolbox/bingbot.json': ['233.252.0.0/24'] }),
      });
      const visits = ADDRESSES.map((address) => ({
        request_path: '/shop',
        request_method: 'GET',
        request_headers: { 'user-agent': BINGBOT },
        client_address: address,
      }));
      expect((await served.client.post('/visits', visits)).status).toBe(204);
      await until(
        async () => (await served.client.visits({ result: 'verification_failed' })).length === ADDRESSES.length,
        {
          condition: 'all visits have failed verification',
          explain: () => instance.output,
        },
      );
      await use(served);
      await instance.dispose();
      await dns.stop();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ named }, use) => use(named.url),
});

const PAGES: Record<string, { path: (projectId: string, agentId: string) => string; ready: string }> = {
  'named-verification': { path: (id) => `/projects/${id}/verification`, ready: `text=${PTR}` },
  'named-agent': { path: (id, agent) => `/projects/${id}/agents/${agent}`, ready: 'text=Example Hosting, DE' },
  'named-timeline': { path: (id) => `/projects/${id}/realtime`, ready: 'role=row >> text=bingbot' },
  'named-system': {
    path: () => '/system#network-names',
    ready: 'role=region[name="Network name files"] >> text=Test-ASN',
  },
};

async function open(page: Page, { client, session, projectId }: TestInstance, path: string): Promise<void> {
  await page.context().addCookies([session]);
  await page.goto(path.replace('PROJECT', projectId));
  expect(client.target.url).toBe(new URL(page.url()).origin);
}

for (const [name, { path, ready }] of Object.entries(PAGES)) {
  test(name, async ({ page, named }) => {
    const [visit] = await named.client.visits({ limit: '1' });
    await open(page, named, path(named.projectId, visit!.identification.agent_id!));
    await expect(page.locator(ready).first()).toBeVisible();
    await expectLooks(page, name);
  });
}

test('shows the network, country, and unconfirmed host name in the visit drawer', async ({ page, named }) => {
  const [visit] = await named.client.visits({ address: '198.51.100.7', limit: '1' });
  await open(page, named, `/projects/PROJECT/realtime?visit=${visit!.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Technical details' }).click();
  for (const text of ['Example Hosting', 'AS64496', '198.51.100.0/24', 'Germany (DE)', `${PTR} (not confirmed)`]) {
    await expect(drawer.getByRole('region', { name: 'Client address' }).getByText(text, { exact: true })).toBeVisible();
  }
  await drawer.getByText(`${PTR} (not confirmed)`).scrollIntoViewIfNeeded();
  await expectLooks(page, 'named-drawer');
});

test('links the networks behind spoofed visits to those visits', async ({ page, named }) => {
  await open(page, named, '/projects/PROJECT/verification');
  const row = page.getByRole('row').filter({ hasText: 'Example Hosting' });
  await expect(row).toContainText('AS64496, Germany');
  await expect(row).toContainText('and 2 more networks');
  await expect(row.locator('[data-cell="visits"]')).toHaveText(/^6(?!\d)/);
  await row.getByRole('link', { name: '198.51.100.0/24' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/address=198\.51\.100\.0/);
  await expect(page.getByText('2 visits', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '198.51.100.7 DE Example Hosting' })).toHaveCount(2);
});
