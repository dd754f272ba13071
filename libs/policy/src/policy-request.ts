import type { IdentificationResult } from '#libs/contracts';

/** Identified request that a policy decides on. */
export interface PolicyRequest {
  visitor: {
    result: IdentificationResult;
    agent_token?: string | undefined;
    agent_type_name?: string | undefined;
    operator_name?: string | undefined;
  };
  /** Whether an unknown visitor is likely automated. */
  isLikelyAutomated: boolean;
  /** Address of the visitor, or null if it's unknown or no rule depends on it. */
  clientAddress: string | null;
  /** Request method in upper case, or null if unknown. */
  method: string | null;
  /** Host in lower case, or null if unknown. */
  host: string | null;
  /** Path with a leading slash and its query string. */
  path: string;
}
