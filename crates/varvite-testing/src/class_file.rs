//! [`ClassWriter`]: writes Java class files for tests. Their methods have no code.

/// Flags of classes and members.
pub const PUBLIC: u16 = 1;
/// See [`PUBLIC`].
pub const STATIC: u16 = 1 << 3;
/// See [`PUBLIC`].
pub const FINAL: u16 = 1 << 4;
/// See [`PUBLIC`].
pub const INTERFACE: u16 = 1 << 9;
/// See [`PUBLIC`].
pub const ABSTRACT: u16 = 1 << 10;

/// Tags of constants that refer to members.
const FIELD: u8 = 9;
const METHOD: u8 = 10;
const METHOD_OF_INTERFACE: u8 = 11;

/// The parts of a class file.
pub struct ClassWriter {
    count: u16,
    constants: Vec<u8>,
    head: Vec<u8>,
    interfaces: Vec<u16>,
    fields: Vec<[u16; 3]>,
    methods: Vec<[u16; 3]>,
}

impl ClassWriter {
    /// A class without members.
    #[must_use]
    pub fn new(flags: u16, name: &str, superclass: &str) -> Self {
        let (constants, head, interfaces) = (Vec::new(), Vec::new(), Vec::new());
        let (fields, methods) = (Vec::new(), Vec::new());
        let mut class = Self { count: 1, constants, head, interfaces, fields, methods };
        let [name, superclass] = [name, superclass].map(|name| class.class(name));
        class.head = [flags, name, superclass].into_iter().flat_map(u16::to_be_bytes).collect();
        class
    }

    /// Adds an interface.
    #[must_use]
    pub fn implements(mut self, interface: &str) -> Self {
        let number = self.class(interface);
        self.interfaces.push(number);
        self
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, flags: u16, name: &str, descriptor: &str) -> Self {
        let member = self.member(flags, name, descriptor);
        self.fields.push(member);
        self
    }

    /// Adds a method.
    #[must_use]
    pub fn method(mut self, flags: u16, name: &str, descriptor: &str) -> Self {
        let member = self.member(flags, name, descriptor);
        self.methods.push(member);
        self
    }

    /// Adds a reference to a method of a class.
    #[must_use]
    pub fn calls(self, owner: &str, name: &str, descriptor: &str) -> Self {
        self.refers(METHOD, owner, name, descriptor)
    }

    /// Adds a reference to a method of an interface.
    #[must_use]
    pub fn calls_interface(self, owner: &str, name: &str, descriptor: &str) -> Self {
        self.refers(METHOD_OF_INTERFACE, owner, name, descriptor)
    }

    /// Adds a reference to a field.
    #[must_use]
    pub fn reads(self, owner: &str, name: &str, descriptor: &str) -> Self {
        self.refers(FIELD, owner, name, descriptor)
    }

    /// The bytes of the class file.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        let numbers = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
        let list = |members: &[[u16; 3]]| -> Vec<u8> {
            let count = u16::try_from(members.len()).unwrap();
            let all: Vec<u16> = members.iter().flat_map(|member| member.iter().copied().chain([0])).collect();
            numbers(&[&[count], &all[..]].concat())
        };
        let interfaces: Vec<u8> =
            numbers(&[&[u16::try_from(self.interfaces.len()).unwrap()], &self.interfaces[..]].concat());
        let version = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
        [
            &version[..],
            &self.count.to_be_bytes(),
            &self.constants,
            &self.head,
            &interfaces,
            &list(&self.fields),
            &list(&self.methods),
            &[0, 0],
        ]
        .concat()
    }

    fn refers(mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> Self {
        let owner = self.class(owner);
        let [name, descriptor] = [name, descriptor].map(|text| self.text(text));
        let named = self.constant(12, &[name, descriptor]);
        self.constant(tag, &[owner, named]);
        self
    }

    fn member(&mut self, flags: u16, name: &str, descriptor: &str) -> [u16; 3] {
        [flags, self.text(name), self.text(descriptor)]
    }

    fn class(&mut self, name: &str) -> u16 {
        let text = self.text(name);
        self.constant(7, &[text])
    }

    fn text(&mut self, text: &str) -> u16 {
        let number = self.constant(1, &[u16::try_from(text.len()).unwrap()]);
        self.constants.extend(text.as_bytes());
        number
    }

    /// Adds a constant; returns its number.
    fn constant(&mut self, tag: u8, numbers: &[u16]) -> u16 {
        self.constants.push(tag);
        self.constants.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        self.count += 1;
        self.count - 1
    }
}
