import type { CrawlPurpose } from '#libs/agents/vocabulary';
import {
  PERMISSION_OUTCOMES,
  type PermissionMechanism as Mechanism,
  type PermissionOutcome as Outcome,
} from '#libs/contracts';

/** Document that defines a mechanism. */
interface Reference {
  /** Name with the version or draft number. */
  name: string;
  /** Date of publication, or null if the document is updated without versions. */
  date: string | null;
  url: string;
}

const ATTACH: Reference = {
  name: 'draft-ietf-aipref-attach-05',
  date: '2026-08-19',
  url: 'https://datatracker.ietf.org/doc/html/draft-ietf-aipref-attach-05',
};
const VOCAB: Reference = {
  name: 'draft-ietf-aipref-vocab-08',
  date: '2026-09-13',
  url: 'https://datatracker.ietf.org/doc/html/draft-ietf-aipref-vocab-08',
};

interface MechanismDescription {
  label: string;
  /** Documents that define the mechanism. */
  references: readonly Reference[];
}

export const MECHANISMS: Readonly<Record<Mechanism, MechanismDescription>> = {
  robots_rules: {
    label: 'robots.txt rules',
    references: [{ name: 'RFC 9309', date: '2022-09', url: 'https://www.rfc-editor.org/rfc/rfc9309' }],
  },
  purpose_token: {
    label: 'robots.txt purpose group',
    references: [
      {
        name: 'draft-kelley-aipref-training-preference-signal-00',
        date: '2026-10-30',
        url: 'https://datatracker.ietf.org/doc/html/draft-kelley-aipref-training-preference-signal-00',
      },
    ],
  },
  content_signal: {
    label: 'Content-Signal',
    // The policy has no version numbers. `use=` was added on this day.
    references: [{ name: 'Content Signals Policy', date: '2026-07-01', url: 'https://contentsignals.org/' }],
  },
  content_usage: { label: 'Content-Usage in robots.txt', references: [ATTACH, VOCAB] },
  content_usage_header: { label: 'Content-Usage header', references: [ATTACH, VOCAB] },
  x_robots_tag: {
    label: 'X-Robots-Tag',
    references: [
      {
        name: 'Google robots meta tag specifications',
        date: null,
        url: 'https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag',
      },
    ],
  },
  license: {
    label: 'RSL license',
    references: [{ name: 'RSL 1.0', date: '2025-12-10', url: 'https://rslstandard.org/rsl' }],
  },
  served: {
    label: 'Responses',
    references: [{ name: 'RFC 9110', date: '2022-06', url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15' }],
  },
};

/** Names of the purposes in `Content-Usage` (draft-ietf-aipref-vocab-08, section 4). */
export const USAGE_LABELS: Record<CrawlPurpose, string> = { training: 'train-ai', search: 'search', user: 'ai-use' };
/** Names of the purposes in `Content-Signal`. */
export const SIGNAL_NAMES: Record<CrawlPurpose, string> = { training: 'ai-train', search: 'search', user: 'ai-input' };

/** Returns the most restrictive outcome (draft-ietf-aipref-vocab-08, section 5.1), or null if there are none. */
export const mostRestrictive = (outcomes: readonly Outcome[]): Outcome | null =>
  PERMISSION_OUTCOMES.findLast((outcome) => outcomes.includes(outcome)) ?? null;
