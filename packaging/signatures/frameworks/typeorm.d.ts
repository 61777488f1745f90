// Read from TypeORM 0.3.
export class Repository<T> {
  find(...options: any[]): Promise<T[]>
  findBy(...options: any[]): Promise<T[]>
  findOne(...options: any[]): Promise<T>
  findOneBy(...options: any[]): Promise<T>
  findOneOrFail(...options: any[]): Promise<T>
  findOneByOrFail(...options: any[]): Promise<T>
  findAndCount(...options: any[]): Promise<[T[], number]>
  findAndCountBy(...options: any[]): Promise<[T[], number]>
  create(...options: any[]): T
  save(...options: any[]): Promise<T>
  remove(...options: any[]): Promise<T>
  preload(...options: any[]): Promise<T>
  createQueryBuilder(...options: any[]): SelectQueryBuilder<T>
}
export class SelectQueryBuilder<T> {
  where(...options: any[]): this
  andWhere(...options: any[]): this
  orWhere(...options: any[]): this
  orderBy(...options: any[]): this
  addOrderBy(...options: any[]): this
  leftJoin(...options: any[]): this
  innerJoin(...options: any[]): this
  leftJoinAndSelect(...options: any[]): this
  innerJoinAndSelect(...options: any[]): this
  select(...options: any[]): this
  addSelect(...options: any[]): this
  skip(...options: any[]): this
  take(...options: any[]): this
  getMany(): Promise<T[]>
  getOne(): Promise<T>
  getOneOrFail(): Promise<T>
  getManyAndCount(): Promise<[T[], number]>
}
export class EntityManager {
  getRepository<T>(entity: new () => T): Repository<T>
  find<T>(entity: new () => T, options: any): Promise<T[]>
  findOne<T>(entity: new () => T, options: any): Promise<T>
  findOneBy<T>(entity: new () => T, options: any): Promise<T>
  findOneOrFail<T>(entity: new () => T, options: any): Promise<T>
}
export class DataSource {
  manager: EntityManager
  getRepository<T>(entity: new () => T): Repository<T>
}
export class BaseEntity {
  static find(...options: any[]): Promise<this[]>
  static findBy(...options: any[]): Promise<this[]>
  static findOne(...options: any[]): Promise<this>
  static findOneBy(...options: any[]): Promise<this>
  static findOneOrFail(...options: any[]): Promise<this>
  static create(...options: any[]): this
}
