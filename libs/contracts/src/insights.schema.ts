import { AUTOMATION_SIGNS } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { openEnum } from './open-enum.js';

/** What a site's robots.txt said about a fetch. Stored as the position in this list, from 1. */
export const ROBOTS_VERDICTS = ['allowed', 'disallowed', 'no_rules', 'unreachable', 'unknown'] as const;
export type RobotsVerdict = (typeof ROBOTS_VERDICTS)[number];

/** Whether a program made a visit of an unknown visitor. Stored as the position in this list, from 1. */
export const AUTOMATION_VERDICTS = ['likely', 'unclear', 'unlikely'] as const;
type AutomationVerdict = (typeof AUTOMATION_VERDICTS)[number];

/**
 * What visits of unknown visitors are counted by where a program may have made them: parts of {@link dimensionValue} are the
 * verdict, the group of the user agent, and the signs.
 */
export const UNLISTED_DIMENSION = 'unlisted';

/** Where it stood which assistant sent a visitor. */
export const REFERRAL_SOURCES = ['utm_source', 'source', 'ref', 'referer'] as const;
export type ReferralSource = (typeof REFERRAL_SOURCES)[number];

export const RobotsJudgmentSchema = Type.Object(
  {
    verdict: openEnum<RobotsVerdict>(
      ROBOTS_VERDICTS,
      'What the robots.txt that was in force said. `no_rules`: the site had none. `unreachable`: it answered with an error, which forbids everything. `unknown`: nobody had looked',
    ),
    version: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The version of the file; null where there was none',
    }),
    line: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'The line that decided; null where none did',
    }),
  },
  { description: "What the site's robots.txt said about it; absent for visits that are not an agent's" },
);

export const ReferralSchema = Type.Object(
  {
    assistant: Type.String({ description: 'Name of the assistant' }),
    operator: Type.String({ description: 'The company behind it' }),
    source: openEnum<ReferralSource>(REFERRAL_SOURCES, 'Where it stood'),
    value: Type.String({ description: 'What stood there, such as a host name' }),
  },
  { description: 'The AI assistant that sent the visitor; absent where none is known' },
);

export const AutomationSchema = Type.Object(
  {
    verdict: openEnum<AutomationVerdict>(AUTOMATION_VERDICTS, 'Whether it was'),
    signs: Type.Array(openEnum<string>(Object.keys(AUTOMATION_SIGNS), 'A sign'), {
      description: 'What speaks for it; the documentation of insights says how they combine',
    }),
    user_agent_group: Type.Optional(
      Type.String({
        description:
          'The user agent without versions and ids, by which such visits are counted; absent where the verdict is `unlikely`',
      }),
    ),
  },
  { description: 'Whether a program made the visit; absent where the agent is known' },
);

export type RobotsJudgment = Static<typeof RobotsJudgmentSchema>;
export type Referral = Static<typeof ReferralSchema>;

/** Characters of a part that a count is kept by: as many of the first as fit. */
const PART_LENGTHS = [500, 200, 100, 50, 20];
/** Bytes of a value: PostgreSQL refuses a key of more than some 2,700. */
const MAX_VALUE_BYTES = 1_500;

const encoder = new TextEncoder();

/** Joins what visits are counted by into one text: a JSON array. Long parts are cut. */
export function dimensionValue(...parts: readonly string[]): string {
  let value = '';
  for (const length of PART_LENGTHS) {
    value = JSON.stringify(parts.map((part) => part.slice(0, length)));
    // A character has three bytes at most, but for pairs, which are two.
    if (value.length * 3 <= MAX_VALUE_BYTES || encoder.encode(value).length <= MAX_VALUE_BYTES) break;
  }
  return value;
}

/** The parts of {@link dimensionValue}. */
export const dimensionParts = (value: string): string[] => JSON.parse(value) as string[];
