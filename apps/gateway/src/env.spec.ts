import { readSettings } from './env.js';

const read = (settings: Record<string, string>) =>
  readSettings({
    DATABASE_URL: 'postgres://localhost/x',
    KAFKA_BROKERS: 'localhost:9092',
    CATALOG_URL: 'http://localhost:3005',
    RULES_URL: 'http://localhost:3006',
    INTERNAL_API_SECRET: 'x'.repeat(20),
    ...settings,
  });

it('reports all missing settings at once', () => {
  expect(() => readSettings({})).toThrow(/DATABASE_URL[^]*KAFKA_BROKERS|KAFKA_BROKERS[^]*DATABASE_URL/);
});

it('allows a burst of ten seconds by default', () => {
  const rate = (settings: Record<string, string>) => read(settings).visitRate;
  expect(rate({})).toBeNull();
  expect(rate({ RATE_LIMIT_VISITS_PER_SECOND: '50' })).toEqual({ perSecond: 50, burst: 500 });
  expect(rate({ RATE_LIMIT_VISITS_PER_SECOND: '50', RATE_LIMIT_BURST: '60' })).toEqual({ perSecond: 50, burst: 60 });
});
