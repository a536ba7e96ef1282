/**
 * A lesson, as the server gives it (docs/lessons.md).
 * @typedef {{text: string, html: string, says: string, right: boolean, node?: number}} Option
 * @typedef {{ask: string, kind: string, options: Option[], answer?: {text?: string, number?: number, tolerance?: number}, hint?: string, explain?: string, reveal?: number}} Question
 * @typedef {{id: string, program: string, task: string, hints: string[], solution: {program: string, html: string}, checks: number}} Exercise
 * @typedef {{programs: string[], claim: string, holds: string, also: "table" | "break-even"}} Measure
 * @typedef {{program: string, beside?: string, at: number, until?: number, select?: number, open?: string, hide: boolean}} PlayerPlace
 * @typedef {{title: string, html: string, player?: PlayerPlace, question?: Question, exercise?: Exercise, measure?: Measure}} Step
 * @typedef {{name: string, source: string, ends: string, trace: string}} Program
 * @typedef {{id: string, number: number, title: string, minutes: number, previous: string | null, next: string | null, programs: Record<string, Program>, steps: Step[]}} Lesson
 * @typedef {{passed: boolean, checks: {passed: boolean, html: string}[], mistake: string | null}} CheckResult
 * @typedef {{verdict: "holds" | "fails" | "undecided", words: string, rows: [string, string, number, number, number][]}} Verdict   times in ns
 */
export {};
