import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'isbot';
import * as contracts from '#libs/contracts';
import { distinctExpressions, sourceExpressions, LOOKAROUNDS, dynamicExpressions } from './kit/expressions.js';
import { findUnprovenExpressions } from './kit/recheck.js';

/**
 * Regular expressions that recheck has proven linear. `regular-expressions.nightly.spec.ts` repeats all proofs. To add
 * new expressions, run `npm ci --prefix test/tools`, then this test with `UPDATE_PROOFS=true`.
 */
const PROOFS = join(import.meta.dirname, 'proven-expressions.json');
const PROOF_TIMEOUT_MS = 900_000;

/** Reasons why regular expressions built at run time are safe, keyed by file and source. */
const DYNAMIC_EXPRESSION_REASONS: Record<string, string> = {
  'apps/console/src/web/web.routes.ts `^/(?:api|docs|':
    'anchored alternatives of interface paths, which are fixed texts',
  'libs/enrichment/src/reduce-visit.ts `[?&]${TEST_VISIT_PARAMETER}':
    'fixed lengths after a parameter name, which is a literal in libs/contracts',
  'apps/rules/src/server-config/competing-patterns.ts source':
    'a catalog pattern, which patternFault has checked for linearity',
  'apps/web/src/filters/filter-set.ts form.pattern':
    'a filter pattern, which is a literal in libs/contracts and checked there',
  'libs/agents/src/agent.matcher.ts source': 'a catalog pattern, which patternFault has checked for linearity',
  'libs/catalog/src/agents-file-matches.ts pattern': 'a catalog pattern, which patternFault has checked for linearity',
  'libs/catalog/src/agents-file-samples.ts pattern': 'a catalog pattern, which patternFault has checked for linearity',
  'libs/visit-store/src/visit-deletion.repository.ts addressExpression(address)':
    'fixed alternatives before and after an IP address in canonical form',
  'libs/platform/src/env.ts pattern': 'EMAIL_PATTERN, which the schema test proves linear',
};

it('finds regular expressions in literals and schemas', () => {
  const paths = sourceExpressions.map(({ place }) => place);
  expect(paths).toContain('libs/contracts/src/timestamp.ts');
  expect(sourceExpressions.map(({ source }) => source)).toContain(contracts.EMAIL_PATTERN);
  expect(sourceExpressions.length).toBeGreaterThan(200);
});

/** Check isbot's list, too, because it's matched against visitor input. */
it("finds only fixed-length lookarounds in isbot's list", () => {
  expect(list.flatMap((source) => source.match(LOOKAROUNDS) ?? []).filter((look) => /[*+{]/.test(look))).toEqual([]);
});

it(
  'has a linearity proof for every regular expression',
  async () => {
    const distinct = distinctExpressions();
    const proven = JSON.parse(readFileSync(PROOFS, 'utf8')) as string[];
    const expected = [...distinct.keys()].toSorted();
    if (process.env['UPDATE_PROOFS'] === 'true') {
      const known = new Set(proven);
      const unproven = [...distinct].filter(([key]) => !known.has(key)).map(([, expression]) => expression);
      expect(await findUnprovenExpressions(unproven)).toEqual([]);
      writeFileSync(PROOFS, `${JSON.stringify(expected, null, 2)}\n`);
    } else expect(proven).toEqual(expected);
  },
  PROOF_TIMEOUT_MS,
);

it('explains why each regular expression built at run time is safe', () => {
  const known = Object.keys(DYNAMIC_EXPRESSION_REASONS);
  const isKnown = (dynamicExpression: string) => known.some((start) => dynamicExpression.startsWith(start));
  expect(dynamicExpressions.filter((dynamicExpression) => !isKnown(dynamicExpression))).toEqual([]);
  expect(
    known.filter((start) => !dynamicExpressions.some((dynamicExpression) => dynamicExpression.startsWith(start))),
  ).toEqual([]);
});
