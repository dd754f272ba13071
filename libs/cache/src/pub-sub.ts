/** Notifies listeners of events. Delivery is best effort, so listeners that must not miss events should also poll. */
export abstract class PubSub {
  abstract publish(channel: string, payload: string): Promise<void>;

  /**
   * Calls the listener for each message on a channel.
   *
   * @returns Function that unsubscribes the listener.
   */
  abstract subscribe(channel: string, listener: (payload: string) => void): () => void;
}

export class InMemoryPubSub extends PubSub {
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();

  async publish(channel: string, payload: string): Promise<void> {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }

  subscribe(channel: string, listener: (payload: string) => void): () => void {
    const listeners = this.listeners.get(channel) ?? new Set();
    this.listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(channel) === listeners) this.listeners.delete(channel);
    };
  }
}
