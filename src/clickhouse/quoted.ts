/** A name as SQL has it, whatever characters are in it. */
export function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&').replaceAll('\0', '\\0')}\``;
}

/** A text of ours as SQL has it. */
export function quotedText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

/** A table, in its database where one is given. */
export function quotedTable({ database, table }: TableName): string {
  return database === undefined ? quoted(table) : `${quoted(database)}.${quoted(table)}`;
}

export interface TableName {
  readonly database: string | undefined;
  readonly table: string;
}

/** `table`, or `database.table`: what stands before the first dot is the database. */
export function tableNameOf(text: string, database: string | undefined): TableName {
  const dot = text.indexOf('.');
  return dot < 0 ? { database, table: text } : { database: text.slice(0, dot), table: text.slice(dot + 1) };
}
