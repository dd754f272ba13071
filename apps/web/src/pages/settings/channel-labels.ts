export const CHANNEL_LABELS = { email: 'Email', webhook: 'Webhook', slack: 'Slack', discord: 'Discord' } as const;
