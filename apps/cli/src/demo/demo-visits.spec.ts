import { bundledCatalog } from '#libs/catalog';
import { validator, visitKinds, VisitSchema, type Visit } from '#libs/contracts';
import { DEMO_AGENTS } from './demo-visitors.js';
import { DemoVisits } from './demo-visits.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');
const { agents } = bundledCatalog();
const demo = new DemoVisits(7, agents);
const week: Visit[] = Array.from({ length: 168 }, (_, hour) => demo.ofHour(START + hour * HOUR_MS)).flat();
const among = (form: RegExp): Visit[] => week.filter((visit) => form.test(String(visit.request_headers['user-agent'])));

describe('DemoVisits', () => {
  it('are visits, in the order of time, within their hour', () => {
    const schema = validator(VisitSchema);
    expect(week.flatMap((visit) => schema.faults(visit))).toEqual([]);
    const times = week.map(({ created }) => created!);
    expect(times).toEqual(times.toSorted());
    const hour = demo.ofHour(START + 5 * HOUR_MS).map(({ created }) => created!.slice(0, 13));
    expect(new Set(hour)).toEqual(new Set(['2026-11-01T05']));
  });

  it('are the same for the same seed, and others for another', () => {
    expect(new DemoVisits(7, agents).ofHour(START)).toEqual(demo.ofHour(START));
    expect(new DemoVisits(8, agents).ofHour(START)).not.toEqual(demo.ofHour(START));
  });

  it('are 20,000 to 50,000 in a month', () => {
    expect((week.length / 7) * 30).toBeGreaterThan(20_000);
    expect((week.length / 7) * 30).toBeLessThan(50_000);
  });

  it('only come from agents of the catalog', () => {
    const known = new Set(agents.map(({ token }) => token));
    expect(DEMO_AGENTS.filter(({ token }) => !known.has(token))).toEqual([]);
  });

  it('are of every kind that the dashboard shows', () => {
    const kinds = new Set(week.flatMap((visit) => visitKinds(visit)));
    expect(kinds).toEqual(new Set(['page', 'mcp', 'acp']));
    expect(
      week.filter(({ request_headers: headers }) => headers['referer'] === 'https://chatgpt.com/').length,
    ).toBeGreaterThan(20);
    expect(week.filter(({ request_headers: headers }) => headers['signature'] !== undefined).length).toBeGreaterThan(
      20,
    );
    expect(among(/GPTBot/).length).toBeGreaterThan(300);
    expect(new Set(week.map((visit) => visit.response_status_code))).toEqual(
      new Set([200, 201, 302, 304, 403, 404, 500]),
    );
  });

  it('have a daily rhythm', () => {
    const perHour = (visits: Visit[], hour: string): number =>
      visits.filter(({ created }) => created!.slice(11, 13) === hour).length;
    const people = week.filter(({ request_headers: headers }) => headers['sec-fetch-mode'] === 'navigate');
    expect(perHour(people, '19')).toBeGreaterThan(3 * perHour(people, '03'));
    expect(perHour(among(/GPTBot/), '03')).toBeGreaterThan(3 * perHour(among(/GPTBot/), '10'));
  });
});
