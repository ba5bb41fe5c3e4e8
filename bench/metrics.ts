// Reads the metrics of a running edge that benchmarks use.

export interface Vitals {
  residentBytes: number
  heapBytes: number
  /** Longest block of the event loop since the last read, in milliseconds. */
  longestBlockMs: number
  cpuSeconds: number
  jobLagSeconds: number
  /** Accepted events, without repeats. */
  events: number
}

export async function readVitals(edgeUrl: string): Promise<Vitals> {
  const text = await (await fetch(`${edgeUrl}/metrics`)).text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return {
    residentBytes: value('process_resident_memory_bytes'),
    heapBytes: value('nodejs_heap_size_used_bytes') + value('nodejs_external_memory_bytes'),
    longestBlockMs: value('nodejs_eventloop_lag_max_seconds') * 1000,
    cpuSeconds: value('process_cpu_seconds_total'),
    jobLagSeconds: value('nc_job_lag_seconds'),
    events: value('nc_events_accepted_total\\{outcome="new"\\}'),
  }
}
