/** What a visit is counted by beside its agent, page and status: the name of a dimension, and the value in it. */
export type Dimension = readonly [name: string, value: string];
