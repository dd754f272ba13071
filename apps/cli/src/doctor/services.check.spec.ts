import { checkServices, type ServiceReport } from './services.check.js';

const report = (service: string, overrides: Partial<ServiceReport> = {}): ServiceReport => ({
  service,
  status: 'ok',
  checks: { database: null },
  age: 5,
  ...overrides,
});
const ALL = ['gateway', 'console', 'enrichment', 'ingest', 'catalog'].map((service) => report(service));

it('reports ok if every service has a ready process, even after an old process failed', () => {
  expect(checkServices([...ALL, report('gateway'), report('gateway', { age: 300, status: 'unavailable' })])).toEqual([
    { subject: 'services', status: 'ok', detail: '6 processes reported, all ready' },
  ]);
});

it('reports a fault for a service without a recent report', () => {
  const [gateway, ...others] = ALL;
  for (const reports of [others, [...others, { ...gateway!, age: 31 }]]) {
    expect(checkServices(reports)).toEqual([
      {
        subject: 'gateway',
        status: 'fault',
        detail: 'no process has reported recently',
        advice: 'Start the gateway service, or check its log.',
      },
    ]);
  }
});

it('warns about degraded services and reports a fault for unavailable ones', () => {
  const [, ...others] = ALL;
  const degraded = report('gateway', { status: 'degraded', checks: { database: null, redis: 'connect ECONNREFUSED' } });
  const detail = '1 of 1 processes are impaired: redis: connect ECONNREFUSED';
  expect(checkServices([...others, degraded])).toMatchObject([{ subject: 'gateway', status: 'warning', detail }]);
  const unavailable = { ...degraded, status: 'unavailable' } as const;
  expect(checkServices([...others, unavailable])).toMatchObject([{ status: 'fault' }]);
  expect(checkServices([...ALL, unavailable])).toMatchObject([{ status: 'warning' }]);
});
