/** Bytes after which the server groups and sorts on its disk. */
const SPILL_BYTES = 2 ** 31;

/** Settings of every SELECT. Where a profile of the server says otherwise, the answer would be another, or a part of it. */
export const SELECT_SETTINGS: Readonly<Record<string, string | number>> = {
  // apache-arrow has no decoder for compressed bodies, and reads what bytes are as they are.
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: 0,
  output_format_arrow_fixed_string_as_fixed_byte_array: 1,
  output_format_arrow_low_cardinality_as_dictionary: 0,
  // An error has a status of its own only before the first byte of the answer.
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // Every shard takes part, and what they have is merged.
  skip_unavailable_shards: 0,
  distributed_group_by_no_merge: 0,
  // Limits are errors, never an end of the answer.
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  limit: 0,
  offset: 0,
  extremes: 0,
  use_query_cache: 0,
  // ClickHouse 26.7 compiles an expression that it has seen three times, and then shifts the sign of an Int128 out: other sums.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  // Null is what the SQL says it is.
  transform_null_in: 0,
  aggregate_functions_null_for_empty: 0,
  empty_result_for_aggregation_by_empty_set: 0,
  // Rows are read, so that they are counted in the stats.
  optimize_trivial_count_query: 0,
  max_bytes_before_external_group_by: SPILL_BYTES,
  max_bytes_before_external_sort: SPILL_BYTES,
  // Conditions with many values, and clocks with many changes, are long texts.
  max_query_size: 2 ** 28,
  max_ast_elements: 10_000_000,
  max_expanded_ast_elements: 10_000_000,
  max_ast_depth: 100_000,
  max_parser_depth: 100_000,
};
