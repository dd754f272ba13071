import { AUTOMATION_SIGNS } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { openEnum } from './open-enum.js';

/** Verdicts of robots.txt on a fetch. The database stores the 1-based position in this list. */
export const ROBOTS_VERDICTS = ['allowed', 'disallowed', 'no_rules', 'unreachable', 'unknown'] as const;
export type RobotsVerdict = (typeof ROBOTS_VERDICTS)[number];

/** Verdicts on whether an unknown visitor is automated. The database stores the 1-based position in this list. */
export const AUTOMATION_VERDICTS = ['likely', 'unclear', 'unlikely'] as const;
type AutomationVerdict = (typeof AUTOMATION_VERDICTS)[number];

/**
 * Count dimension for possibly automated visits from unknown visitors. Its {@link formatDimension} consists of the verdict,
 * the user agent group and the signs.
 */
export const UNLISTED_DIMENSION = 'unlisted';

/** Parts of a request that can name the assistant that referred the visitor. */
export const REFERRAL_SOURCES = ['utm_source', 'source', 'ref', 'referer'] as const;
export type ReferralSource = (typeof REFERRAL_SOURCES)[number];

export const RobotsJudgmentSchema = Type.Object(
  {
    verdict: openEnum<RobotsVerdict>(
      ROBOTS_VERDICTS,
      'Verdict of the active robots.txt version. `no_rules` means the site had no robots.txt. `unreachable` means fetching robots.txt failed with an error, which disallows everything. `unknown` means robots.txt had not been fetched.',
    ),
    version: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'ID of the robots.txt version. Null if there was none.',
    }),
    line: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'Number of the line that determined the verdict. Null if there was none.',
    }),
  },
  { description: "Verdict of the site's robots.txt. Absent if the visitor is not an agent." },
);

export const ReferralSchema = Type.Object(
  {
    assistant: Type.String({ description: 'Assistant name' }),
    operator: Type.String({ description: 'Company that operates the assistant' }),
    source: openEnum<ReferralSource>(REFERRAL_SOURCES, 'Part of the request that identified the assistant'),
    value: Type.String({ description: 'Value that identified the assistant, such as a host name' }),
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
          'User-Agent without versions and IDs, used to group similar visits. Absent if the verdict is `unlikely`.',
      }),
    ),
  },
  { description: 'Verdict on whether the visit was automated. Absent for known agents.' },
);

export type RobotsJudgment = Static<typeof RobotsJudgmentSchema>;
export type Referral = Static<typeof ReferralSchema>;

/**
 * Maximum lengths to which each part is truncated, in characters. They are tried in this order until the value is small
 * enough.
 */
const PART_LENGTHS = [500, 200, 100, 50, 20];
/** Maximum size of a value in bytes. PostgreSQL rejects index keys above about 2,700 bytes. */
const MAX_VALUE_BYTES = 1_500;

const encoder = new TextEncoder();

/** Joins the parts of a count dimension into a JSON array. Long parts are truncated to fit into an index key. */
export function formatDimension(...parts: readonly string[]): string {
  let value = JSON.stringify(parts);
  // Each UTF-16 code unit needs at most three bytes in UTF-8. No part of such a short value is too long, either.
  if (value.length * 3 <= MAX_VALUE_BYTES) return value;
  for (const length of PART_LENGTHS) {
    value = JSON.stringify(parts.map((part) => part.slice(0, length)));
    if (encoder.encode(value).length <= MAX_VALUE_BYTES) break;
  }
  return value;
}

/** Splits a {@link formatDimension} into its parts. */
export const parseDimension = (value: string): string[] => JSON.parse(value) as string[];
