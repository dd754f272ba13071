import { Injectable } from '@nestjs/common';
import { SILENT_AFTER_SECONDS, type SystemProcess } from '#libs/contracts';
import { DataSource } from 'typeorm';

type Row = Omit<SystemProcess, 'started_at' | 'reported_at'> & { started_at: Date; reported_at: Date };

@Injectable()
export class ProcessesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the processes that reported in the last 24 hours, sorted by service, with silent processes last. Ages are
   * measured with the database's clock.
   */
  async list(): Promise<SystemProcess[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, service, host, version, started_at, reported_at, checks, untrusted_forwarders, age AS seconds_since_report,
         CASE WHEN age > $1 THEN 'silent' ELSE status END AS state
       FROM service_instances, LATERAL (SELECT extract(epoch FROM now() - reported_at)::double precision AS age) a
       WHERE age < 86400 ORDER BY service, age > $1, started_at, id`,
      [SILENT_AFTER_SECONDS],
    );
    return rows.map((row) => ({
      ...row,
      started_at: row.started_at.toISOString(),
      reported_at: row.reported_at.toISOString(),
    }));
  }

  /** Returns the number of messages in the outbox, up to 100,000. */
  async countWaitingMessages(): Promise<number> {
    const [row]: { messages: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS messages FROM (SELECT FROM visits_outbox LIMIT 100000) o`,
    );
    return row!.messages;
  }
}
