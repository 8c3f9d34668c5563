import { Field as ArrowField, DataType as ArrowType, Schema, Type } from 'apache-arrow';
import { arrowType } from '../core/arrow-type.js';
import { type DataType, type Field, typeName } from '../core/type.js';
import { isReadable } from './part.js';

/** The schema of a source. Columns that are not read have a type that has a name and nothing else. */
export function sourceSchema(fields: readonly Field[]): Schema {
  return new Schema(fields.map(({ name, type }) => new ArrowField(name, typeOf(type), true)));
}

function typeOf(type: DataType): ArrowType {
  return isReadable(type) ? arrowType(type) : new Unread(typeName(type));
}

class Unread extends ArrowType<Type.NONE> {
  constructor(private readonly name: string) {
    super(Type.NONE);
  }

  override toString(): string {
    return this.name;
  }
}
