import { Type, type Static } from 'typebox';

const ProjectIds = (description: string) =>
  Type.Array(Type.String({ format: 'uuid' }), { maxItems: 1_000, uniqueItems: true, description });

export const ReportSettingsSchema = Type.Object(
  {
    can_send_mail: Type.Boolean({ description: 'Whether the instance has a mail server (`SMTP_HOST`)' }),
    project_ids: ProjectIds('The projects of which you get a weekly report by e-mail'),
  },
  { $id: 'ReportSettings' },
);
export const ReportSettingsChangeSchema = Type.Object(
  { project_ids: ProjectIds('All projects of which you want it, also those of which you get it already') },
  { $id: 'ReportSettingsChange', additionalProperties: false },
);

export type ReportSettings = Static<typeof ReportSettingsSchema>;
