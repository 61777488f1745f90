// Read from Sequelize 6.
export class Model {
  static findAll(...options: any[]): Promise<this[]>
  static findOne(...options: any[]): Promise<this>
  static findByPk(...options: any[]): Promise<this>
  static create(...options: any[]): Promise<this>
  static build(...options: any[]): this
  static findOrCreate(...options: any[]): Promise<[this, boolean]>
  static findAndCountAll(...options: any[]): Promise<{ rows: this[] }>
}
