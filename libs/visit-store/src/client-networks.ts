/** Looks up the networks of client addresses. Documents are returned with their network. */
export abstract class ClientNetworks {
  /** Returns the network of an address for JSON, or null if it's unknown. */
  abstract find(address: string | null): object | null;
}
