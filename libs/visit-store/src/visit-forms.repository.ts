import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { getTimeFromId } from '#libs/contracts';
import { preparedQuery } from '#libs/database';
import { DataSource } from 'typeorm';
import { toDayNumber, formatDay, type DayNumber } from './partitions.repository.js';
import { isSuspicious, wellFormedJson } from './well-formed-text.js';
import type { VisitRow } from './visit-row.js';
import { VisitForms, type DividedVisit, type RecordedForm, type VisitForm } from './visit-forms.js';

const RECORD_FORMS = `
  INSERT INTO visit_forms AS f (digest, template, last_day)
  SELECT digest, template, $3 FROM unnest($1::bytea[], $2::text[]) AS r (digest, template) ORDER BY digest
  ON CONFLICT (digest) DO UPDATE SET last_day = greatest(f.last_day, excluded.last_day)
  RETURNING id, digest, template`;

/** Document for count-only visits. */
const EMPTY_DOCUMENT: StoredDocument = { form: null, text: 'null' };

export interface StoredDocument {
  /** Null if {@link text} is the entire enriched visit as JSON. */
  form: RecordedForm | null;
  text: string;
}

/** Stores the parts of documents that many visits have in common (forms) only once. */
@Injectable()
export class VisitFormsRepository {
  /**
   * Cached forms. Each recorded form is retained for visits received up to {@link day}, so forms must be recorded again
   * for later days.
   */
  private forms = new VisitForms();
  private day: DayNumber = -Infinity;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Splits visits into forms and values, and records new forms. If the limit on forms is reached, visits are stored as
   * entire documents.
   */
  async divide(rows: readonly VisitRow[]): Promise<StoredDocument[]> {
    this.startDay(toDayNumber(rows.reduce((last, { id }) => Math.max(last, getTimeFromId(id)), 0)));
    const visits: (DividedVisit | null)[] = [];
    const missing = new Set<VisitForm>();
    for (const { document, isCounted } of rows) {
      const visit = isCounted ? null : this.forms.divide(document);
      visits.push(visit);
      if (visit?.form?.recorded === null) missing.add(visit.form);
    }
    if (missing.size > 0) await this.record([...missing]);
    return visits.map((visit, index) => {
      if (visit === null) return EMPTY_DOCUMENT;
      const recorded = visit.form?.recorded ?? null;
      const text = recorded === null ? JSON.stringify(rows[index]!.document) : visit.values;
      return { form: recorded, text: wellFormedJson(text) };
    });
  }

  private startDay(day: DayNumber): void {
    if (day <= this.day) return;
    this.forms = new VisitForms();
    this.day = day;
  }

  /** Deletes forms whose last visits were received before a day. Call it after deleting those visits. */
  async deleteBefore(day: DayNumber): Promise<void> {
    await this.dataSource.query(`DELETE FROM visit_forms WHERE last_day < $1`, [formatDay(day)]);
  }

  clearCache(): void {
    this.forms = new VisitForms();
  }

  private async record(forms: readonly VisitForm[]): Promise<void> {
    const byTemplate = new Map(forms.map((form) => [form.template(), form]));
    // Skips forms with names that PostgreSQL can't store. Their visits are stored as entire documents with corrected
    // names.
    const templates = [...byTemplate.keys()].filter((template) => !isSuspicious(template));
    const rows = await preparedQuery<RecordedForm & { template: string }>(
      this.dataSource,
      { name: 'record-visit-forms', text: RECORD_FORMS },
      [templates.map((template) => createHash('sha256').update(template).digest()), templates, formatDay(this.day)],
    );
    for (const { template, ...recorded } of rows) byTemplate.get(template)!.recorded = recorded;
  }
}
