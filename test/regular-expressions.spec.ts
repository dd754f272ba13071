import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'isbot';
import * as contracts from '#libs/contracts';
import { distinctExpressions, found, LOOKAROUNDS, madeAtRunTime } from './kit/expressions.js';
import { faultyExpressions } from './kit/recheck.js';

/**
 * Expressions that recheck has proven linear. `regular-expressions.nightly.spec.ts` proves all of them again. To prove new
 * ones, run `npm ci --prefix test/tools`, then this test with `UPDATE_PROOFS=true`.
 */
const PROOFS = join(import.meta.dirname, 'proven-expressions.json');
const PROOF_TIMEOUT_MS = 900_000;

/** Expressions made of what is not known before the program runs, by file and what they are made of. */
const MADE_AT_RUN_TIME: Record<string, string> = {
  'apps/console/src/web/web.routes.ts `^/(?:api|docs|':
    'alternatives of fixed texts, paths of the interface, behind the start of the text',
  'libs/enrichment/src/reduced-visit.ts `[?&]${TEST_VISIT_PARAMETER}':
    'fixed lengths behind the name of a parameter, a literal of libs/contracts',
  'apps/rules/src/server-config/competing-patterns.ts source':
    'a pattern of the catalog; patternFault proves those linear',
  'apps/web/src/filters/filter-set.ts form.pattern':
    'the form of a filter, a literal of timeline-filters.ts in libs/contracts, which is checked there',
  'libs/agents/src/agent.matcher.ts source': 'a pattern of the catalog; patternFault proves those linear',
  'libs/catalog/src/agents-file-matches.ts pattern': 'a pattern of the catalog; patternFault proves those linear',
  'libs/catalog/src/agents-file-samples.ts pattern': 'a pattern of the catalog; patternFault proves those linear',
  'libs/platform/src/env.ts pattern': "EMAIL_PATTERN, which the schemas' test proves linear",
};

it('finds literals, schemas and what is made at run time', () => {
  const places = found.map(({ place }) => place);
  expect(places).toContain('libs/contracts/src/timestamp.ts');
  expect(found.map(({ source }) => source)).toContain(contracts.EMAIL_PATTERN);
  expect(found.length).toBeGreaterThan(200);
});

/** isbot's list, which meets what visitors send. */
it('leaves out of isbot only what looks ahead or behind, and has a fixed length', () => {
  expect(list.flatMap((source) => source.match(LOOKAROUNDS) ?? []).filter((look) => /[*+{]/.test(look))).toEqual([]);
});

it(
  'has a proof that every expression is linear',
  async () => {
    const distinct = distinctExpressions();
    const proven = JSON.parse(readFileSync(PROOFS, 'utf8')) as string[];
    const expected = [...distinct.keys()].toSorted();
    if (process.env['UPDATE_PROOFS'] === 'true') {
      const known = new Set(proven);
      const unproven = [...distinct].filter(([key]) => !known.has(key)).map(([, expression]) => expression);
      expect(await faultyExpressions(unproven)).toEqual([]);
      writeFileSync(PROOFS, `${JSON.stringify(expected, null, 2)}\n`);
    } else expect(proven).toEqual(expected);
  },
  PROOF_TIMEOUT_MS,
);

it('knows why what is made at run time is safe', () => {
  const known = Object.keys(MADE_AT_RUN_TIME);
  const isKnown = (made: string) => known.some((start) => made.startsWith(start));
  expect(madeAtRunTime.filter((made) => !isKnown(made))).toEqual([]);
  expect(known.filter((start) => !madeAtRunTime.some((made) => made.startsWith(start)))).toEqual([]);
});
