/**
 * A color for each type of agent, in the order of the interface: a type has it everywhere and for good. No two are alike for
 * people who see fewer colors, and each can be seen on the page; a test holds both.
 */
export const TYPE_COLORS = {
  light: [
    ...['#5d00c5', '#fa630e', '#500e67', '#744b4f', '#60a358', '#7559c2', '#4c826c', '#c14b01', '#406b88'],
    ...['#2a96fd', '#2b0099', '#a12e07', '#790104', '#006bff', '#394c89', '#0000ff', '#7e7cba'],
  ],
  dark: [
    ...['#ad9fff', '#f2690f', '#857091', '#d64511', '#a0ff7c', '#c1bbff', '#81e8b1', '#ff973b', '#8dbfcb'],
    ...['#4d6ee9', '#d3d7ff', '#da9f89', '#a3695b', '#87a3c8', '#6e89ff', '#758bc9', '#6a71bf'],
  ],
};

/** Of all other types together, and of those that no agent is known of. */
export const REST_COLORS = {
  light: { other: '#343a40', unknown: '#8d959d' },
  dark: { other: '#f1f3f5', unknown: '#868e96' },
};

/** CSS variables: `--kind-1` is the first type's. */
export const typeVariables = (scheme: keyof typeof TYPE_COLORS): Record<`--${string}`, string> => ({
  ...Object.fromEntries(TYPE_COLORS[scheme].map((color, index) => [`--kind-${index + 1}`, color])),
  '--kind-other': REST_COLORS[scheme].other,
  '--kind-unknown': REST_COLORS[scheme].unknown,
});
