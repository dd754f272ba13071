import { get, type IncomingMessage } from 'node:http';
import type { EnrichedVisit } from '#libs/contracts';
import type { Client } from './client.js';

/** Reads a project's visit stream and collects the visits. */
export class StreamReader {
  /** Visits as JSON, in order of arrival. They aren't parsed, so many readers can run cheaply. */
  readonly documents: string[] = [];
  lastEventId: string | null;
  hasEnded = false;
  private response: IncomingMessage | null = null;
  private text = '';

  private constructor(lastEventId: string | null) {
    this.lastEventId = lastEventId;
  }

  /** Opens a stream. Resolves once the response headers arrive. */
  static async open(
    client: Client,
    projectId: string,
    { lastEventId = null, reading = true }: { lastEventId?: string | null; reading?: boolean } = {},
  ): Promise<StreamReader> {
    const reader = new StreamReader(lastEventId);
    reader.response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(
        `${client.target.url}/api/projects/${projectId}/visits/stream`,
        {
          headers: {
            authorization: `Bearer ${client.target.apiKey}`,
            ...(lastEventId !== null && { 'last-event-id': lastEventId }),
          },
        },
        resolve,
      ).on('error', reject);
    });
    reader.response.on('error', () => undefined).on('close', () => (reader.hasEnded = true));
    if (reader.response.statusCode !== 200)
      throw new Error(`The stream responded with status ${reader.response.statusCode}`);
    if (reading) reader.startReading();
    return reader;
  }

  get visits(): EnrichedVisit[] {
    return this.documents.map((document) => JSON.parse(document) as EnrichedVisit);
  }

  get paths(): string[] {
    return this.visits.map((item) => item.visit.request_path);
  }

  startReading(): void {
    this.response!.on('data', (chunk: Buffer) => this.read(chunk));
  }

  close(): void {
    this.response?.destroy();
  }

  private read(chunk: Buffer): void {
    this.text += chunk.toString();
    const events = this.text.split('\n\n');
    this.text = events.pop()!;
    for (const event of events) {
      const fields = new Map(
        event.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).trim()]),
      );
      if (fields.has('id')) this.lastEventId = fields.get('id')!;
      if (fields.get('event') === 'visit') this.documents.push(fields.get('data')!);
    }
  }
}
