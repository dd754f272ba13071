import { AUTOMATION_SIGNS } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { openEnum } from './open-enum.js';

/** Verdicts of robots.txt on a fetch. Stored as the position in this list, starting at 1. */
export const ROBOTS_VERDICTS = ['allowed', 'disallowed', 'no_rules', 'unreachable', 'unknown'] as const;
export type RobotsVerdict = (typeof ROBOTS_VERDICTS)[number];

/** Verdicts on whether an unknown visitor is automated. Stored as the position in this list, starting at 1. */
export const AUTOMATION_VERDICTS = ['likely', 'unclear', 'unlikely'] as const;
type AutomationVerdict = (typeof AUTOMATION_VERDICTS)[number];

/**
 * Dimension of possibly automated visits by unknown visitors. The parts of its {@link dimensionValue} are the verdict, the
 * user agent group and the signs.
 */
export const UNLISTED_DIMENSION = 'unlisted';

/** Places in which a request can name the assistant that referred the visitor. */
export const REFERRAL_SOURCES = ['utm_source', 'source', 'ref', 'referer'] as const;
export type ReferralSource = (typeof REFERRAL_SOURCES)[number];

export const RobotsJudgmentSchema = Type.Object(
  {
    verdict: openEnum<RobotsVerdict>(
      ROBOTS_VERDICTS,
      'Verdict of the robots.txt version in force. `no_rules`: the site had no robots.txt. `unreachable`: robots.txt failed with an error, which disallows everything. `unknown`: robots.txt had not been fetched.',
    ),
    version: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'ID of the robots.txt version, or null if there was none',
    }),
    line: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'Number of the deciding line, or null if there was none',
    }),
  },
  { description: "Verdict of the site's robots.txt. Absent for visits that are not by an agent." },
);

export const ReferralSchema = Type.Object(
  {
    assistant: Type.String({ description: 'Assistant name' }),
    operator: Type.String({ description: 'Operator of the assistant' }),
    source: openEnum<ReferralSource>(REFERRAL_SOURCES, 'Place in which the assistant was named'),
    value: Type.String({ description: 'Value found there, such as a host name' }),
  },
  { description: 'AI assistant that referred the visitor. Absent if unknown.' },
);

export const AutomationSchema = Type.Object(
  {
    verdict: openEnum<AutomationVerdict>(AUTOMATION_VERDICTS, 'Verdict on whether the visit was automated'),
    signs: Type.Array(openEnum<string>(Object.keys(AUTOMATION_SIGNS), 'Sign of automation'), {
      description: 'Signs of automation. The insights documentation explains how they are combined.',
    }),
    user_agent_group: Type.Optional(
      Type.String({
        description:
          'User agent without versions and IDs, used to group such visits. Absent if the verdict is `unlikely`.',
      }),
    ),
  },
  { description: 'Whether the visit was automated. Absent for known agents.' },
);

export type RobotsJudgment = Static<typeof RobotsJudgmentSchema>;
export type Referral = Static<typeof ReferralSchema>;

/** Maximum lengths of a part in characters, tried in this order. */
const PART_LENGTHS = [500, 200, 100, 50, 20];
/** Maximum size of a value in bytes. PostgreSQL rejects index keys above about 2,700 bytes. */
const MAX_VALUE_BYTES = 1_500;

const encoder = new TextEncoder();

/** Joins the parts of a count dimension into a JSON array. Long parts are truncated. */
export function dimensionValue(...parts: readonly string[]): string {
  let value = '';
  for (const length of PART_LENGTHS) {
    value = JSON.stringify(parts.map((part) => part.slice(0, length)));
    // A UTF-16 code unit needs at most three bytes in UTF-8.
    if (value.length * 3 <= MAX_VALUE_BYTES || encoder.encode(value).length <= MAX_VALUE_BYTES) break;
  }
  return value;
}

/** Returns the parts of a {@link dimensionValue}. */
export const dimensionParts = (value: string): string[] => JSON.parse(value) as string[];
