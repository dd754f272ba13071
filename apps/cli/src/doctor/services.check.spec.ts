import { checkServices, type ServiceReport } from './services.check.js';

const report = (service: string, more: Partial<ServiceReport> = {}): ServiceReport => ({
  service,
  status: 'ok',
  checks: { database: null },
  age: 5,
  ...more,
});
const ALL = ['gateway', 'console', 'enrichment', 'ingest', 'catalog'].map((service) => report(service));

it('reports ok while each service has a ready process, even if an old one failed', () => {
  expect(checkServices([...ALL, report('gateway'), report('gateway', { age: 300, status: 'unavailable' })])).toEqual([
    { subject: 'services', status: 'ok', detail: '6 processes report, all of them ready' },
  ]);
});

it('finds services without a recent report', () => {
  const [gateway, ...others] = ALL;
  for (const reports of [others, [...others, { ...gateway!, age: 31 }]]) {
    expect(checkServices(reports)).toEqual([
      {
        subject: 'gateway',
        status: 'fault',
        detail: 'none of its processes reports',
        advice: 'Start the service gateway, or look at its log.',
      },
    ]);
  }
});

it('distinguishes degraded services from unavailable ones', () => {
  const [, ...others] = ALL;
  const lacking = report('gateway', { status: 'degraded', checks: { database: null, redis: 'connect ECONNREFUSED' } });
  const detail = "1 of 1 processes can't work as they should: redis: connect ECONNREFUSED";
  expect(checkServices([...others, lacking])).toMatchObject([{ subject: 'gateway', status: 'warning', detail }]);
  const unable = { ...lacking, status: 'unavailable' } as const;
  expect(checkServices([...others, unable])).toMatchObject([{ status: 'fault' }]);
  expect(checkServices([...ALL, unable])).toMatchObject([{ status: 'warning' }]);
});
