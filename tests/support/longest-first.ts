import { BaseSequencer, type TestSpecification } from 'vitest/node'

const order = ['web', 'api', 'system', 'service', 'unit']

/**
 * Orders the projects. Those whose files share processes come first: each is divided among the workers beforehand, and
 * isolated files even out the rest. The shortest project is the last, so that no worker is left alone with a long file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification): number => order.indexOf(project.name)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
