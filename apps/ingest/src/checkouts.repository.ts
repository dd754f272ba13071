import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class CheckoutsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes checkouts whose last visit is so many days past mere counts: nothing leads from them to an id or a visit. */
  async anonymize(days: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE checkouts SET id = gen_random_uuid(), visit_id = NULL
       WHERE last_at < now() - make_interval(days => $1) AND visit_id IS NOT NULL`,
      [days],
    );
  }
}
