/** Buckets of numbers: their width, and where one starts. */
export interface NumberBucket {
  readonly width: number | bigint | string;
  readonly offset: number | bigint | string;
}

/** Buckets of time: their width in words, whose clock is read, and where one starts. */
export interface TimeBucket {
  readonly span: string;
  readonly zone?: string;
  readonly origin?: string | Date;
}

/** What a key makes of a column's values: the start of the bucket that holds them. */
export type BucketExpression = NumberBucket | TimeBucket;
