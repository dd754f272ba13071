export const CHANNEL_LABELS = { email: 'E-mail', webhook: 'Webhook', slack: 'Slack', discord: 'Discord' } as const;
