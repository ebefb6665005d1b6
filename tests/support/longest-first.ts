import { BaseSequencer, type TestSpecification } from 'vitest/node'

const order = ['system', 'service', 'api', 'unit']

/**
 * Starts the project with the longest files first and that with the shortest last, so that no worker is left alone
 * with a long one. Without it projects are sorted by their names.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification): number => order.indexOf(project.name)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
