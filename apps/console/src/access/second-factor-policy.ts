import { str } from '#libs/platform';

/** Users who must set up a second factor. `owners` includes administrators. */
export type SecondFactorPolicy = 'nobody' | 'administrators' | 'owners';

export const secondFactorSettings = {
  SECOND_FACTOR_REQUIRED: str({
    choices: ['nobody', 'administrators', 'owners'] as const,
    default: 'nobody',
    desc: 'Users who must set up a second factor: nobody, administrators, or owners (also includes administrators)',
  }),
};
