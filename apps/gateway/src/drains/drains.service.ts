import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_UNREADABLE_LINES, newBatchId, timeOfId, type DrainReceipt } from '#libs/contracts';
import { drainSecretPurpose, type SecretBox } from '#libs/database';
import type { DrainSender } from '#libs/drains';
import { unavailable, WorkSlices, type Admission } from '#libs/platform';
import { Counter } from 'prom-client';
import type { ProjectAccess } from '../access/access.repository.js';
import { AdmissionService } from '../admission/admission.service.js';
import { repeatableVisits, type RepeatableVisit } from '../visits/received-visits.js';
import { Redactors, type Redactor } from '../visits/redaction.js';
import { SafePublisher } from '../visits/safe-publisher.service.js';
import { isSigning, requireBodySignature } from './body-signature.js';
import { drainItems, type DrainItem } from './drain-body.js';
import { chunksOf, type Chunk } from './drain-chunks.js';
import { DrainStatusService, type UnreadableLine } from './drain-status.service.js';
import { LineIds } from './line-ids.js';
import { LineSorter } from './sorted-lines.js';
import { formOf } from './wrappers.js';

/** Injection token of the `SecretBox` for signing secrets. Null if this process has no key. */
export const DRAIN_SECRETS = Symbol('box of the secrets of drains');

/** Maximum number of characters shown of a line, and of the reason why it's unreadable. */
const SHOWN_CHARACTERS = 300;
/** Characters searched for credentials before a line is cut for display. */
const SEARCHED_CHARACTERS = 8_192;

const counted = new Counter({
  name: 'agent_traffic_gateway_drain_lines_total',
  help: 'Lines of drains',
  labelNames: ['source', 'outcome'],
});

interface PostedDrain {
  project: ProjectAccess;
  sender: DrainSender;
  /** Raw bytes, as sent. */
  body: Buffer;
  headers: IncomingHttpHeaders;
  traceparent: string;
  admission: Admission;
}

interface Unreadable {
  item: DrainItem;
  reason: string;
}

@Injectable()
export class DrainsService {
  constructor(
    private readonly publisher: SafePublisher,
    private readonly redactors: Redactors,
    private readonly admission: AdmissionService,
    private readonly status: DrainStatusService,
    @Inject(DRAIN_SECRETS) private readonly secrets: SecretBox | null,
  ) {}

  /**
   * Resolves when all visits of the body are safe. If it fails, the first chunks may already be stored; resending the
   * body doesn't duplicate them.
   *
   * @throws ProblemError 400, 413, 415 or 422 if the body is rejected, 403 if its signature is wrong, 503 if the visits
   * aren't safe.
   */
  async record(drain: PostedDrain): Promise<DrainReceipt> {
    const { project, sender, body, headers } = drain;
    this.requireSignature(drain);
    const sorter = new LineSorter(sender, project.drains);
    const unreadable: Unreadable[] = [];
    const items = drainItems(body, formOf(sender, headers));
    let admission: Admission | null = drain.admission;
    for await (const chunk of chunksOf(items)) {
      admission ??= await this.admission.more(chunk.bytes, project.projectId);
      await this.admission.run(admission, chunk.bytes, () => this.recordChunk(drain, chunk, sorter, unreadable));
      admission = null;
      // A chunk without visits involves no I/O. Let other requests run before the next one.
      await setImmediate();
    }
    const { receipt } = sorter;
    for (const outcome of ['visits', 'static_files', 'left_out', 'unreadable'] as const) {
      counted.inc({ source: sender.name, outcome }, receipt[outcome]);
    }
    const redactor = this.redactorOf(project);
    this.status.add(
      project.projectId,
      sender.name,
      receipt,
      unreadable.map((line) => shown(line, redactor)),
    );
    return receipt;
  }

  private async recordChunk(
    { project, sender, traceparent }: PostedDrain,
    chunk: Chunk,
    sorter: LineSorter,
    unreadable: Unreadable[],
  ): Promise<void> {
    const { projectId } = project;
    const batch = { batchId: newBatchId(), projectId, traceparent };
    const ids = new LineIds(projectId, sender.name, timeOfId(batch.batchId));
    const redaction = this.redactorOf(project).start();
    const visits: RepeatableVisit[] = [];
    const slices = new WorkSlices();
    for (const [index, item] of chunk.items.entries()) {
      if (slices.isOver) await slices.next();
      for (const [position, sorted] of sorter.sort(item).entries()) {
        if (sorted.kind === 'visit') {
          redaction.redactVisit(sorted.visit);
          const { visit, line, bytes } = sorted;
          visits.push({ index: visits.length, visit, id: ids.of(line, chunk, index, position), bytes });
        } else if (sorted.kind === 'unreadable') {
          unreadable.push({ item, reason: sorted.reason });
          if (unreadable.length > MAX_UNREADABLE_LINES) unreadable.shift();
        }
      }
    }
    await this.publisher.publish(repeatableVisits(batch, visits));
  }

  private redactorOf({ redactedHeaders: redacted, unredactedHeaders: exempt }: ProjectAccess): Redactor {
    return this.redactors.for({ redacted, exempt });
  }

  private requireSignature({ project, sender, body, headers }: PostedDrain): void {
    if (!isSigning(sender)) return;
    const box = project.drains[sender.signature.secret];
    if (box === null) return;
    let secret: string;
    try {
      if (this.secrets === null) throw new Error('the gateway needs SECRET_KEY to check signatures of drains');
      secret = this.secrets.open(Buffer.from(box, 'base64'), drainSecretPurpose(project.projectId));
    } catch (error) {
      throw unavailable('The signature cannot be checked: this instance cannot read the secret.', error, 60);
    }
    requireBodySignature(sender, headers, body, secret);
  }
}

/** Returns an unreadable line for display, redacted and cut. PostgreSQL accepts neither NUL nor lone surrogates. */
function shown({ item, reason }: Unreadable, redactor: Redactor): UnreadableLine {
  const cut = (long: string): string => long.slice(0, SHOWN_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
  const text = redactor.text(textOf(item, redactor).slice(0, SEARCHED_CHARACTERS));
  return { received_at: new Date().toISOString(), reason: cut(redactor.text(reason)), text: cut(text) };
}

function textOf(item: DrainItem, redactor: Redactor): string {
  if (typeof item === 'string') return Buffer.from(item, 'latin1').toString('utf8');
  const record = item.entry();
  return record === null ? item.preview() : JSON.stringify(redactor.start().redact(record));
}
