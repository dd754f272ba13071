import type { TSchema } from 'typebox';
import { CONSOLE_INTERFACE, openApiDocuments, PUBLIC_INTERFACE } from './openapi/index.js';
import { RobotsTxtRequestSchema } from './rules.schema.js';
import { MAX_FAULTS, validator } from './validator.js';

const { faults } = validator(RobotsTxtRequestSchema);

it('limits the number of faults and the memory usage for a body with millions of faults', () => {
  const before = process.memoryUsage();
  const body = { agent_types: Array(2_000_000).fill(1), excluded_agent_tokens: Array(500_000).fill(1) };
  expect(faults(body)).toHaveLength(MAX_FAULTS);
  const { heapUsed, rss } = process.memoryUsage();
  expect(Math.max(heapUsed - before.heapUsed, rss - before.rss)).toBeLessThan(200e6);
});

it('reports overlong arrays and faults far into an array', () => {
  const long = Array(1_000_000).fill('x');
  expect(faults({ agent_types: [], excluded_agent_tokens: long })).toEqual([
    { pointer: '/excluded_agent_tokens', detail: 'must have 10000 items or fewer' },
  ]);
  expect(faults({ agent_types: [...Array(50_000).fill('Scraper'), 7] })).toEqual([
    { pointer: '/agent_types/50000', detail: 'must be string' },
  ]);
});

it('validates extremely deeply nested bodies', () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 1_000_000; depth++) deep = [deep];
  expect(faults({ agent_types: deep, other: deep })[0]).toEqual({
    pointer: '/agent_types/0',
    detail: 'must be string',
  });
});

it('compiles the schemas of all request bodies', () => {
  for (const { id, body, checksBody } of [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations]) {
    if (body === undefined || checksBody !== undefined) continue;
    expect([id, validator(body).is(() => undefined)]).toEqual([id, false]);
  }
});

interface Described {
  paths: Record<string, object>;
  components: { schemas: Record<string, unknown> };
}

it('explains every kind of fault in a readable sentence', () => {
  const rules = new Set<string>();
  for (const { document } of openApiDocuments() as { document: Described }[]) {
    const { schemas } = document.components;
    const bodies = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods) as { requestBody?: object }[])
      .flatMap(({ requestBody }) => requestBody ?? []);
    for (const rule of collectRules(bodies, schemas)) rules.add(rule);
  }
  expect(rules.size).toBeGreaterThan(10);
  const sentences = [...rules].map((rule) => explainViolation(JSON.parse(rule) as Record<string, unknown>));
  expect(sentences.filter((sentence) => /NOT|must match|[<>]=|not broken/.test(sentence))).toEqual([]);
});

/** For each schema keyword, a value that violates it. */
const VIOLATING_VALUES: Record<string, unknown> = {
  format: '\0',
  pattern: '\0',
  minLength: '',
  maxLength: 'x'.repeat(5_000_001),
  minItems: [],
  maxItems: Array(200_000).fill('x'),
  minProperties: {},
  minimum: -1e9,
  maximum: 1e300,
  uniqueItems: ['x', 'x'],
};

function* collectRules(value: unknown, schemas: Record<string, unknown>, seen = new Set<string>()): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && !seen.has(String(member))) {
      yield* collectRules(schemas[String(member).split('/').at(-1)!], schemas, seen.add(String(member)));
    } else if (name in VIOLATING_VALUES && typeof member !== 'object') yield JSON.stringify({ [name]: member });
    else yield* collectRules(member, schemas, seen);
  }
}

/** Returns the fault detail for a value that violates the rule. */
function explainViolation(rule: Record<string, unknown>): string {
  const [name] = Object.keys(rule) as [string];
  // `pattern` and `format` require a `maxLength`.
  const schema = { ...rule, ...((name === 'pattern' || name === 'format') && { maxLength: 100 }) };
  const [fault] = validator(schema as TSchema).faults(VIOLATING_VALUES[name]);
  return fault?.detail ?? `${name} is not broken`;
}
