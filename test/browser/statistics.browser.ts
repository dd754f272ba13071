import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, SCREENSHOTS, test, type Served } from './fixture.js';

interface StatisticsPage {
  path: (projectId: string, agentId: string) => string;
  /** What is there once it is. */
  ready: string;
}

const PLOT = '.recharts-area-area >> nth=0';

const PAGES: Record<string, StatisticsPage> = {
  overview: { path: (id) => `/projects/${id}/overview?range=7d`, ready: PLOT },
  'overview-unknown': { path: (id) => `/projects/${id}/overview?unknown=true&zone=browser`, ready: PLOT },
  'overview-table': { path: (id) => `/projects/${id}/overview?range=1h&table=true`, ready: 'role=table' },
  'overview-nothing': {
    path: (id) => `/projects/${id}/overview?from=2020-01-01&to=2020-01-02`,
    ready: 'text=No visit in this range',
  },
  agents: { path: (id) => `/projects/${id}/agents?range=7d`, ready: 'role=row >> nth=3' },
  'agents-filtered-out': { path: (id) => `/projects/${id}/agents?q=nobody`, ready: 'text=No agent of this range fits' },
  agent: { path: (id, agentId) => `/projects/${id}/agents/${agentId}?range=7d`, ready: PLOT },
  verification: { path: (id) => `/projects/${id}/verification?range=30d`, ready: PLOT },
  past: {
    path: (id) => `/projects/${id}/realtime?from=${day(-3)}&to=${day(0)}&result=verified`,
    ready: 'role=row >> nth=3',
  },
  'past-filtered-out': {
    path: (id) => `/projects/${id}/realtime?from=${day(-3)}&to=${day(0)}&agent=nobody`,
    ready: 'text=No visit of this range fits the filters',
  },
};

function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toISOString();
}

async function open(page: Page, demo: Served, path: StatisticsPage['path']): Promise<void> {
  const { agents } = await demo.client.api<{ agents: { agent_id: string }[] }>(`/projects/${demo.projectId}/agents`);
  await page.context().addCookies([demo.session]);
  await page.goto(demo.url + path(demo.projectId, agents[0]!.agent_id));
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries({
    wide: { width: 1280, height: 800 },
    phone: { width: 320, height: 700 },
  })) {
    test.describe(`statistics: ${colorScheme}, ${size}`, () => {
      test.use({ colorScheme, viewport });
      for (const [name, { path, ready }] of Object.entries(PAGES)) {
        test(name, async ({ page, demo }) => {
          await open(page, demo, path);
          await expect(page.locator(ready).first()).toBeVisible();
          await page.screenshot({ path: join(SCREENSHOTS, `${name}-${colorScheme}-${size}.png`), fullPage: true });
          await expectNoSidewaysScroll(page);
          await expectAccessible(page);
        });
      }
    });
  }
}
