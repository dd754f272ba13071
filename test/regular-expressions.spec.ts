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

/** Reasons why expressions built at run time are safe, by file and source. */
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

it('finds expressions in literals and schemas', () => {
  const places = found.map(({ place }) => place);
  expect(places).toContain('libs/contracts/src/timestamp.ts');
  expect(found.map(({ source }) => source)).toContain(contracts.EMAIL_PATTERN);
  expect(found.length).toBeGreaterThan(200);
});

/** isbot's list is matched against input from visitors. */
it("finds only fixed-length lookarounds in isbot's list", () => {
  expect(list.flatMap((source) => source.match(LOOKAROUNDS) ?? []).filter((look) => /[*+{]/.test(look))).toEqual([]);
});

it(
  'has a linearity proof for every expression',
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

it('has a reason why each expression built at run time is safe', () => {
  const known = Object.keys(MADE_AT_RUN_TIME);
  const isKnown = (made: string) => known.some((start) => made.startsWith(start));
  expect(madeAtRunTime.filter((made) => !isKnown(made))).toEqual([]);
  expect(known.filter((start) => !madeAtRunTime.some((made) => made.startsWith(start)))).toEqual([]);
});
