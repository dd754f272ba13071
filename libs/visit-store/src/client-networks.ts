/** Looks up the networks of client addresses, which documents are returned with. */
export abstract class ClientNetworks {
  /** Returns JSON of the network of an address, or null if it's unknown. */
  abstract find(address: string | null): object | null;
}
