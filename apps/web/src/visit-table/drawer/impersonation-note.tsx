import { formatVisitCount } from '../../format/count.js';
import { getClaims, type Impersonation } from '../../range/claims.js';
import { listLink } from '../../range/list-link.js';
import type { Range } from '../../range/range.js';
import { toFilters } from '../../filters/visit-filters.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';

interface ImpersonationNoteProps {
  projectId: string;
  impersonation: Impersonation;
  /** Token of the agent that the visit claims to be. */
  token: string | null;
  range: Range;
  /** Range in words, such as "in the last 24 hours". */
  when: string;
}

/** Sentence about the other agents that a visit's network claimed to be. */
export function ImpersonationNote({ projectId, impersonation, token, range, when }: ImpersonationNoteProps) {
  const { network, agents, visits } = impersonation;
  const others = agents.flatMap(({ agent_token: name }) =>
    name === null || name === token ? [] : [{ key: name, content: name }],
  );
  return (
    <>
      Its network, {network}, also claimed to be <Listing items={others} limit={2} />:{' '}
      <TextLink {...listLink(projectId, range)(toFilters(getClaims(impersonation)))} inherit>
        {formatVisitCount(visits)}
      </TextLink>{' '}
      {when}.
    </>
  );
}
