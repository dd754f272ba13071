/** Purpose that a robots.txt group can address instead of an agent. */
interface PurposeToken {
  /** Name in the user-agent line, in lower case. */
  token: string;
  purpose: 'training';
}

/**
 * Tokens in user-agent lines that stand for a purpose (draft-kelley-aipref-training-preference-signal-00). Their groups
 * apply to no agent.
 *
 * The name is provisional: only the draft's title page, abstract and keywords ("AI training") were available.
 */
export const PURPOSE_TOKENS: readonly PurposeToken[] = [{ token: 'ai-training', purpose: 'training' }];
