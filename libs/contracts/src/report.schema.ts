import { Type, type Static } from 'typebox';

const ProjectIds = (description: string) =>
  Type.Array(Type.String({ format: 'uuid' }), { maxItems: 1_000, uniqueItems: true, description });

export const ReportSettingsSchema = Type.Object(
  {
    can_send_mail: Type.Boolean({ description: 'Whether a mail server is configured for this instance (`SMTP_HOST`)' }),
    project_ids: ProjectIds('IDs of the projects whose weekly report you receive by email'),
  },
  { $id: 'ReportSettings' },
);
export const ReportSettingsChangeSchema = Type.Object(
  {
    project_ids: ProjectIds(
      'IDs of all projects whose weekly report you want to receive. Replaces the previous selection.',
    ),
  },
  { $id: 'ReportSettingsChange', additionalProperties: false },
);

export type ReportSettings = Static<typeof ReportSettingsSchema>;
