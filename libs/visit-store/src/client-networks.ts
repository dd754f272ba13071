import type { EnrichedVisit } from '#libs/contracts';

/** Looks up the network of a client address. The API adds it to the visits it returns. */
export abstract class ClientNetworks {
  /** Returns the network as a JSON-serializable object, or null if it's unknown. */
  abstract find(address: string | null): object | null;
}

/**
 * Matches the start of a document in the format that enrichment writes, to extract the client address without parsing.
 * If SQL selected the address, PostgreSQL would read it for every row it sorts.
 */
const ADDRESS =
  /^\{"id":"[\w-]{36}","project_id":"[\w-]{36}","received_at":"[\w:.-]{24}","occurred_at":"[\w:.-]{24}","client_address":(?:null|"([\da-f:.]{2,45})"),/;

function extractAddress(document: string): string | null {
  const found = ADDRESS.exec(document);
  return found === null ? (JSON.parse(document) as EnrichedVisit).client_address : (found[1] ?? null);
}

/** Appends `client_network` to a visit's document without parsing it. */
export function addNetwork(document: string, networks: ClientNetworks): string {
  const network = networks.find(extractAddress(document));
  return `${document.slice(0, document.lastIndexOf('}'))},"client_network":${JSON.stringify(network)}}`;
}
