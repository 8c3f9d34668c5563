/** A kernel's source with all accesses to memory checked. @throws where it has one for which nothing stands. */
export function checked(content: string, name: string): string;
