import { Anchor, Code, List } from '@mantine/core';
import {
  describeAutomationSign,
  capitalize,
  describeClientAddressNote,
  describeClientAddressReason,
  getVerdictLabel,
} from '#libs/agents/vocabulary';
import type { Visit } from '../../api/client.js';
import type { Evidence, ReverseDnsStep } from '#libs/contracts';
import { formatAsNumber, getCountryName } from '../../format/network.js';
import { Snippet } from '../../ui/snippet.js';
import { getHeader } from '../get-header.js';
import { DrawerSection } from './drawer-section.js';
import { DescriptionList } from '../../ui/description-list.js';
import { HighlightedMatch } from '../../ui/highlighted-match.js';
import { RelativeTime } from '../../ui/relative-time.js';

type Step = NonNullable<Evidence['steps']>[number];

/** Agent claimed by the User-Agent header. */
export function ClaimedIdentity({ item: { identification, reidentified } }: { item: Visit }) {
  const {
    agent_token: token,
    agent_type_name: type,
    operator_name: operator,
    agent_url: url,
    evidence,
  } = identification;
  const { user_agent_token: claimed = null } = evidence;
  return (
    <DescriptionList
      facts={[
        ['Matches', claimed === null ? 'no agent in the catalog' : claimed === token ? null : claimed],
        ['Agent', token],
        ['Type', type],
        ['Operator', operator],
        [
          'Documentation',
          url && (
            <Anchor href={url} rel="noreferrer" target="_blank" size="sm">
              {url}
            </Anchor>
          ),
        ],
        ['Catalog version', <Code>{identification.catalog_version}</Code>],
        ['Originally', reidentified && <OriginalIdentification reidentified={reidentified} />],
      ]}
    />
  );
}

/** Original identification of a visit that was later reidentified. */
function OriginalIdentification({
  reidentified: { at, earlier },
}: {
  reidentified: NonNullable<Visit['reidentified']>;
}) {
  // The API schema doesn't describe the earlier identification in detail. It has the same fields as the current one.
  const { agent_token: token, result } = earlier.identification as object as Visit['identification'];
  return (
    <>
      {token !== null && `${token}, `}
      {getVerdictLabel(result)}, re-identified <RelativeTime time={at} />
    </>
  );
}

/** Trusted client address and the reason it's trusted. */
export function AddressEvidence({ item }: { item: Visit }) {
  const { client_address: address, client_network: network, visit, identification } = item;
  const {
    client_address_source: source,
    client_address_reason: reason,
    client_address_note: note,
    address_origin: origin,
    steps = [],
  } = identification.evidence;
  const received = source && getHeader(visit, source);
  return (
    <DescriptionList
      facts={[
        ['Trusted address', address ?? 'none'],
        ['Network operator', network?.operator_name],
        ['AS number', network?.as_number && formatAsNumber(network.as_number)],
        ['Network', network?.prefix && <Code>{network.prefix}</Code>],
        [
          'Published for',
          origin && (
            <>
              {origin.agent_token}
              {origin.operator_name !== null && ` by ${origin.operator_name}`}: <Code>{origin.range}</Code>
              {origin.as_of !== null && (
                <>
                  , fetched <RelativeTime time={origin.as_of} />
                </>
              )}
              . This proves nothing, because the visit doesn't claim to be an agent.
            </>
          ),
        ],
        ['Range list', origin?.list_url],
        ['Country', network?.country_code && `${getCountryName(network.country_code)} (${network.country_code})`],
        ['Reverse DNS', steps.flatMap(reverseNames).join(', ')],
        ['Source', source ? <Code>{source}</Code> : reason === 'connection_peer' ? 'Connection' : null],
        // Highlight the trusted entry.
        ['As received', received && <HighlightedMatch text={received} part={address} />],
        ['Reason', reason && `${capitalize(describeClientAddressReason(reason))}.`],
        ['Note', note && describeClientAddressNote(note)],
      ]}
    />
  );
}

/**
 * Returns a reverse DNS step's host names and whether they're confirmed. The owner of an address can give it any name,
 * so only names that resolve back to the address are confirmed.
 */
function reverseNames(step: Step): string[] {
  if (step.method !== 'reverse_dns') return [];
  const { host_names: names, confirmed_host_name: confirmed } = step as ReverseDnsStep;
  return names.map((name) => `${name} (${name === confirmed ? 'confirmed' : 'not confirmed'})`);
}

/** Signs that an unknown visitor is automated. */
export const SignsOfAutomation = ({ signs }: { signs: readonly string[] }) => (
  <List size="sm">
    {signs.map((sign) => (
      <List.Item key={sign}>{describeAutomationSign(sign).sentence}</List.Item>
    ))}
  </List>
);

const MCP_FIELDS = {
  mcp_request_method: 'Method',
  mcp_request_tool_name: 'Tool, prompt or resource',
  mcp_request_protocol_version: 'Protocol version',
  mcp_request_client_info_name: 'Client',
  mcp_request_client_info_version: 'Client version',
  mcp_response_result_type: 'Result type',
  mcp_response_result_is_error: 'Tool returned an error',
  mcp_response_error_code: 'Error code',
  mcp_response_error_message: 'Error',
} as const;

/** A visit's MCP call and its ACP and UCP responses, if any. */
export function Commerce({ item: { visit } }: { item: Visit }) {
  const calls = Object.entries(MCP_FIELDS).map(([name, term]) => {
    const value = visit[name as keyof typeof MCP_FIELDS];
    return [term, typeof value === 'boolean' ? (value ? 'yes' : 'no') : value] as const;
  });
  const { acp_response_body: acp, ucp_response_body: ucp } = visit;
  return (
    <>
      {calls.some(([, value]) => value != null) && (
        <DrawerSection title="MCP">
          <DescriptionList facts={calls} />
        </DrawerSection>
      )}
      {acp && (
        <DrawerSection title="ACP response">
          <Snippet text={JSON.stringify(acp, null, 2)} what="the ACP response" />
        </DrawerSection>
      )}
      {ucp && (
        <DrawerSection title="UCP response">
          <Snippet text={JSON.stringify(ucp, null, 2)} what="the UCP response" />
        </DrawerSection>
      )}
    </>
  );
}
