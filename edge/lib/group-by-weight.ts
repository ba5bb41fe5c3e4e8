// Divides a list into groups of a limited weight, such as bytes.

/** Returns the items in groups, in their order. Each group weighs at most `most`, or has one item. */
export function groupByWeight<Item>(items: Item[], weightOf: (item: Item) => number, most: number): Item[][] {
  const groups: Item[][] = []
  let weight = Number.POSITIVE_INFINITY
  for (const item of items) {
    const more = weightOf(item)
    if (weight + more > most) {
      groups.push([])
      weight = 0
    }
    groups.at(-1)?.push(item)
    weight += more
  }
  return groups
}
